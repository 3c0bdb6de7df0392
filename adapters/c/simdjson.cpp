// simdjson's DOM: every pair of an object, or what at_key finds for each name.
#include <simdjson.h>

#include <optional>

#include "kit.hpp"

namespace {

using simdjson::dom::element;
using Value = std::optional<element>;

kit::Node<Value> look(const Value& value, bool get) {
  using simdjson::dom::element_type;
  kit::Node<Value> node;
  if (!value) return kit::leaf<Value>(kit::MISSING);
  switch (value->type()) {
    case element_type::OBJECT: {
      node.kind = '{';
      simdjson::dom::object object = value->get_object().value_unsafe();
      for (auto field : object) {
        node.names.emplace_back(field.key);
        node.children.emplace_back(field.value);
      }
      if (get) {
        node.names = kit::once(node.names);
        node.children.clear();
        for (const auto& name : node.names) {
          auto found = object.at_key(name);
          node.children.push_back(found.error() ? Value() : Value(found.value_unsafe()));
        }
      }
      break;
    }
    case element_type::ARRAY: {
      node.kind = '[';
      simdjson::dom::array array = value->get_array().value_unsafe();
      for (element one : array) node.children.emplace_back(one);
      break;
    }
    case element_type::STRING: node.leaf = kit::text(value->get_string().value_unsafe()); break;
    case element_type::INT64: node.leaf = std::to_string(value->get_int64().value_unsafe()); break;
    case element_type::UINT64: node.leaf = std::to_string(value->get_uint64().value_unsafe()); break;
    case element_type::DOUBLE: node.leaf = kit::binary64(value->get_double().value_unsafe()); break;
    case element_type::BOOL: node.leaf = kit::boolean(value->get_bool().value_unsafe()); break;
    case element_type::NULL_VALUE: node.leaf = "null"; break;
  }
  return node;
}

kit::Shim shim(bool get) {
  return {[=](std::string_view data) {
    simdjson::dom::parser parser;
    element root;
    auto error = parser.parse(simdjson::padded_string(data)).get(root);
    if (error == simdjson::MEMALLOC) throw kit::Fault{"MEMALLOC", simdjson::error_message(error)};
    if (error) throw kit::Rejected{"error_code", simdjson::error_message(error)};
    return kit::render<Value>(Value(root), [=](const Value& value) { return look(value, get); });
  }};
}

}  // namespace

int main() {
  return kit::serve({"simdjson", std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                                     std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                                     std::to_string(simdjson::SIMDJSON_VERSION_REVISION),
                     reinterpret_cast<const void*>(static_cast<const char* (*)(simdjson::error_code)>(&simdjson::error_message)),
                     {{"dom", shim(false)}, {"get", shim(true)}}});
}
