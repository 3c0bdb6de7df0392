// Boost.JSON: boost::json::parse.
#include <boost/json.hpp>
#include <boost/version.hpp>

#include "kit.hpp"

namespace {

using Value = const boost::json::value*;

kit::Node<Value> look(Value value) {
  kit::Node<Value> node;
  switch (value->kind()) {
    case boost::json::kind::object:
      node.kind = '{';
      for (const auto& member : value->get_object()) {
        node.names.emplace_back(member.key().data(), member.key().size());
        node.children.push_back(&member.value());
      }
      break;
    case boost::json::kind::array:
      node.kind = '[';
      for (const auto& element : value->get_array()) node.children.push_back(&element);
      break;
    case boost::json::kind::string:
      node.leaf = kit::text({value->get_string().data(), value->get_string().size()});
      break;
    case boost::json::kind::int64: node.leaf = std::to_string(value->get_int64()); break;
    case boost::json::kind::uint64: node.leaf = std::to_string(value->get_uint64()); break;
    case boost::json::kind::double_: node.leaf = kit::binary64(value->get_double()); break;
    case boost::json::kind::bool_: node.leaf = kit::boolean(value->get_bool()); break;
    case boost::json::kind::null: node.leaf = "null"; break;
  }
  return node;
}

boost::json::value load(std::string_view data) {
  boost::system::error_code error;
  auto value = boost::json::parse({data.data(), data.size()}, error);
  if (error) throw kit::Rejected{"error_code", error.message()};
  return value;
}

const kit::Shim PARSE = {[](std::string_view data) {
                           const auto value = load(data);
                           return kit::render<Value>(&value, look);
                         },
                         [](std::string_view data) { return boost::json::serialize(load(data)); }};

}  // namespace

int main() {
  std::string version = std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) + "." +
                        std::to_string(BOOST_VERSION % 100);
  using Serialize = std::string (*)(const boost::json::value&);
  return kit::serve({"Boost.JSON", version, reinterpret_cast<const void*>(static_cast<Serialize>(&boost::json::serialize)),
                     {{"parse", PARSE}}});
}
