#include "reports/decision_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <sstream>

#include "reports/words.h"

namespace cuvier {
namespace {

struct Node {
  std::string label;
  std::string shape;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node, Node>;

}  // namespace

void DecisionTree::add(const InferenceStep& step, const std::string& settled) {
  Decision decision{fmt::format("{}\n{}", step.probe->name, step.why),
                    counted(step.count.remaining, "hypothesis", "hypotheses") + " left", settled,
                    std::max(0, step.outcomes - 1)};
  std::ranges::replace(decision.settled, ';', '\n');
  decisions_.push_back(std::move(decision));
}

std::string DecisionTree::text(const Finding& finding) const {
  Graph graph;
  auto at = boost::add_vertex(
      Node{counted(finding.count.initial, "hypothesis", "hypotheses"), "ellipse"}, graph);
  for (const Decision& decision : decisions_) {
    const auto probe = boost::add_vertex(Node{decision.probe, "box"}, graph);
    boost::add_edge(at, probe, Node{"", "solid"}, graph);
    if (decision.other_outcomes > 0) {
      const auto others = boost::add_vertex(
          Node{counted(decision.other_outcomes, "other outcome") + " expected", "plain"}, graph);
      boost::add_edge(probe, others, Node{"", "dashed"}, graph);
    }
    at = boost::add_vertex(Node{decision.left, "ellipse"}, graph);
    boost::add_edge(probe, at, Node{decision.settled, "solid"}, graph);
  }
  const auto end = boost::add_vertex(
      Node{fmt::format("{}\n{}", name_of(finding.verdict), finding.reason), "octagon"}, graph);
  boost::add_edge(at, end, Node{"", "solid"}, graph);

  std::ostringstream out;
  boost::write_graphviz(
      out, graph,
      [&](std::ostream& stream, Graph::vertex_descriptor v) {
        stream << "[label=" << boost::escape_dot_string(graph[v].label)
               << ", shape=" << graph[v].shape << "]";
      },
      [&](std::ostream& stream, const Graph::edge_descriptor& e) {
        stream << "[label=" << boost::escape_dot_string(graph[e].label)
               << ", style=" << graph[e].shape << "]";
      });
  return out.str();
}

}  // namespace cuvier
