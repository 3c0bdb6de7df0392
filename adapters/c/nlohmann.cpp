// JSON for Modern C++: json::parse and ordered_json::parse.
#include <nlohmann/json.hpp>

#include "kit.hpp"

namespace {

template <class Json>
kit::Node<const Json*> look(const Json* value) {
  kit::Node<const Json*> node;
  using Type = nlohmann::detail::value_t;
  switch (value->type()) {
    case Type::object:
      node.kind = '{';
      for (auto at = value->begin(); at != value->end(); ++at) {
        node.names.push_back(at.key());
        node.children.push_back(&at.value());
      }
      break;
    case Type::array:
      node.kind = '[';
      for (const auto& element : *value) node.children.push_back(&element);
      break;
    case Type::string: node.leaf = kit::text(value->template get_ref<const std::string&>()); break;
    case Type::number_integer: node.leaf = std::to_string(value->template get<std::int64_t>()); break;
    case Type::number_unsigned: node.leaf = std::to_string(value->template get<std::uint64_t>()); break;
    case Type::number_float: node.leaf = kit::binary64(value->template get<double>()); break;
    case Type::boolean: node.leaf = kit::boolean(value->template get<bool>()); break;
    default: node.leaf = value->is_null() ? "null" : "X\"nlohmann\"";
  }
  return node;
}

template <class Json>
Json load(std::string_view data) {
  try {
    return Json::parse(data.begin(), data.end());
  } catch (const typename Json::parse_error& e) {
    throw kit::Rejected{"parse_error", e.what()};
  } catch (const typename Json::out_of_range& e) {
    throw kit::Rejected{"out_of_range", e.what()};
  }
}

template <class Json>
kit::Shim shim() {
  return {[](std::string_view data) {
            const Json value = load<Json>(data);
            return kit::render<const Json*>(&value, look<Json>);
          },
          [](std::string_view data) { return load<Json>(data).dump(); }};
}

}  // namespace

int main() {
  std::string version = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                        std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                        std::to_string(NLOHMANN_JSON_VERSION_PATCH);
  return kit::serve({"nlohmann", version, nullptr, {{"json", shim<nlohmann::json>()}, {"ordered", shim<nlohmann::ordered_json>()}}});
}
