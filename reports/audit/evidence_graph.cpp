#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <map>
#include <sstream>

#include "reports/audit/audit_report.h"
#include "reports/document/words.h"

namespace cuvier {
namespace {

struct Node {
  std::string label;
  std::string look;  ///< attributes
};

struct Arrow {
  std::string look;
};

using Graph = boost::adjacency_list<boost::setS, boost::vecS, boost::bidirectionalS, Node, Arrow>;

constexpr const char* const by_itself = "";
constexpr const char* const given_the_rest = "style=dashed";

class Drawing {
 public:
  explicit Drawing(const Audit& audit) {
    for (const AxisAudit& axis : audit.axes) {
      if (axis.others.empty()) continue;
      const bool holds = axis.support != Support::contradicted;
      const int value = audit.mechanism.values[axis.axis];
      node(value_words(axis.axis, value), value_look(holds ? "palegreen" : "khaki"));
      for (const OtherValue& other : axis.others) add(axis.axis, other);
    }
    if (audit.refuted) refute(audit.refuted->clash, "no hypothesis", "lightsalmon", by_itself);
  }

  std::string text() const {
    std::ostringstream out;
    boost::write_graphviz(
        out, graph_,
        [&](std::ostream& stream, Graph::vertex_descriptor v) {
          stream << "[label=" << boost::escape_dot_string(graph_[v].label) << ", " << graph_[v].look
                 << "]";
        },
        [&](std::ostream& stream, const Graph::edge_descriptor& e) {
          stream << "[" << graph_[e].look << "]";
        },
        [](std::ostream& stream) { stream << "rankdir=LR;\n"; });
    return out.str();
  }

 private:
  static std::string value_look(const std::string& colour) {
    return "shape=octagon, style=filled, fillcolor=" + colour;
  }

  Graph::vertex_descriptor node(const std::string& label, const std::string& look) {
    const auto [found, is_new] = by_label_.try_emplace(label, 0);
    if (is_new) found->second = boost::add_vertex(Node{label, look}, graph_);
    return found->second;
  }

  void add(int axis, const OtherValue& other) {
    const std::string value = value_words(axis, other.value);
    if (other.evidence) {
      refute(*other.evidence, value, "lightsalmon", by_itself);
    } else if (other.refutation) {
      const Recording& recording = other.refutation->set.recordings.back();
      for (const Fact& fact : recording.facts) {
        arrow(recording, fact, node(value, value_look("lightyellow")), given_the_rest);
      }
    } else {
      node(value, value_look("palegreen"));
    }
  }

  void refute(const Evidence& evidence, const std::string& what, const std::string& colour,
              const std::string& look) {
    const auto refuted = node(what, value_look(colour));
    for (const Session& session : evidence.sessions) {
      for (const Recording& recording : session) {
        for (const Fact& fact : recording.facts) arrow(recording, fact, refuted, look);
      }
    }
  }

  void arrow(const Recording& recording, const Fact& fact, Graph::vertex_descriptor refuted,
             const std::string& look) {
    const auto from = node(recording.name(), "shape=box");
    const auto by =
        node(fmt::format("{}\n{}: {}", recording.name(), place_words(fact, recording.probe),
                         fact_words(fact, recording.probe)),
             "shape=plain");
    boost::add_edge(from, by, Arrow{"arrowhead=none"}, graph_);
    boost::add_edge(by, refuted, Arrow{look}, graph_);
  }

  Graph graph_;
  std::map<std::string, Graph::vertex_descriptor> by_label_;
};

}  // namespace

std::string evidence_graph(const Audit& audit) { return Drawing(audit).text(); }

}  // namespace cuvier
