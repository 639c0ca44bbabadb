#include "reports/inference/decision_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <sstream>

#include "reports/document/words.h"
#include "reports/finding/finding_page.h"

namespace cuvier {
namespace {

struct Node {
  std::string label;
  std::string shape;
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Node, Node>;

}  // namespace

std::string decision_tree(const Decisions& decisions, double hypotheses, const std::string& verdict,
                          const std::string& reason) {
  Graph graph;
  auto at =
      boost::add_vertex(Node{counted(hypotheses, "hypothesis", "hypotheses"), "ellipse"}, graph);
  SurvivingValues surviving = decisions.considered;
  for (const Decision& step : decisions.steps) {
    const SurvivingValues before = surviving;
    for (const auto& [axis, values] : step.now_surviving) surviving[axis] = values;
    std::string settled = narrowed_words(before, surviving);
    std::ranges::replace(settled, ';', '\n');
    const auto probe =
        boost::add_vertex(Node{fmt::format("{}\n{}", step.probe, step.why), "box"}, graph);
    boost::add_edge(at, probe, Node{"", "solid"}, graph);
    if (step.outcomes > 1) {
      const auto others = boost::add_vertex(
          Node{counted(step.outcomes - 1, "other outcome") + " expected", "plain"}, graph);
      boost::add_edge(probe, others, Node{"", "dashed"}, graph);
    }
    const std::string left = counted(step.left, "hypothesis", "hypotheses") + " left";
    at = boost::add_vertex(Node{left, "ellipse"}, graph);
    boost::add_edge(probe, at, Node{settled, "solid"}, graph);
  }
  const auto end =
      boost::add_vertex(Node{fmt::format("{}\n{}", verdict, reason), "octagon"}, graph);
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
