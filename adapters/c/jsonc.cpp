// json-c: json_tokener_parse_ex, with the NUL behind the text, as its documentation asks.
#include <json-c/json.h>

#include <cstdint>
#include <memory>

#include "kit.hpp"

namespace {

kit::Node<json_object*> look(json_object* value) {
  kit::Node<json_object*> node;
  switch (json_object_get_type(value)) {
    case json_type_object: {
      node.kind = '{';
      auto end = json_object_iter_end(value);
      for (auto at = json_object_iter_begin(value); !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        node.names.push_back(json_object_iter_peek_name(&at));
        node.children.push_back(json_object_iter_peek_value(&at));
      }
      return node;
    }
    case json_type_array:
      node.kind = '[';
      for (size_t i = 0; i < json_object_array_length(value); ++i)
        node.children.push_back(json_object_array_get_idx(value, i));
      return node;
    case json_type_string:
      node.leaf = kit::text({json_object_get_string(value), size_t(json_object_get_string_len(value))});
      break;
    case json_type_int: {
      int64_t number = json_object_get_int64(value);
      uint64_t wide = json_object_get_uint64(value);
      node.leaf = number == INT64_MAX && wide > uint64_t(INT64_MAX) ? std::to_string(wide) : std::to_string(number);
      break;
    }
    case json_type_double: node.leaf = kit::binary64(json_object_get_double(value)); break;
    case json_type_boolean: node.leaf = kit::boolean(json_object_get_boolean(value)); break;
    case json_type_null: node.leaf = "null"; break;
  }
  return node;
}

kit::Shim shim(int flags) {
  return {[=](std::string_view data) {
    std::string text(data);
    std::unique_ptr<json_tokener, void (*)(json_tokener*)> reader(json_tokener_new(), json_tokener_free);
    json_tokener_set_flags(reader.get(), flags);
    std::unique_ptr<json_object, int (*)(json_object*)> root(
        json_tokener_parse_ex(reader.get(), text.c_str(), int(text.size() + 1)), json_object_put);
    auto error = json_tokener_get_error(reader.get());
    if (error != json_tokener_success) throw kit::Rejected{"json_tokener_error", json_tokener_error_desc(error)};
    return kit::render<json_object*>(root.get(), look);
  }};
}

}  // namespace

int main() {
  return kit::serve({"json-c", json_c_version(), reinterpret_cast<const void*>(&json_c_version),
                     {{"plain", shim(0)}, {"strict", shim(JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)}}});
}
