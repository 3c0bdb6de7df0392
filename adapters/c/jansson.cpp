// jansson: json_loadb.
#include <jansson.h>

#include <memory>

#include "kit.hpp"

namespace {

kit::Node<json_t*> look(json_t* value) {
  kit::Node<json_t*> node;
  switch (json_typeof(value)) {
    case JSON_OBJECT:
      node.kind = '{';
      for (void* at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        node.names.push_back(json_object_iter_key(at));
        node.children.push_back(json_object_iter_value(at));
      }
      return node;
    case JSON_ARRAY:
      node.kind = '[';
      for (size_t i = 0; i < json_array_size(value); ++i) node.children.push_back(json_array_get(value, i));
      return node;
    case JSON_STRING: node.leaf = kit::text({json_string_value(value), json_string_length(value)}); break;
    case JSON_INTEGER: node.leaf = std::to_string(json_integer_value(value)); break;
    case JSON_REAL: node.leaf = kit::binary64(json_real_value(value)); break;
    case JSON_TRUE: node.leaf = "true"; break;
    case JSON_FALSE: node.leaf = "false"; break;
    case JSON_NULL: node.leaf = "null"; break;
  }
  return node;
}

kit::Shim shim(size_t flags) {
  auto load = [=](std::string_view data) {
    json_error_t error;
    std::shared_ptr<json_t> root(json_loadb(data.data(), data.size(), flags, &error), json_decref);
    if (root) return root;
    if (json_error_code(&error) == json_error_out_of_memory) throw kit::Fault{"out_of_memory", error.text};
    throw kit::Rejected{"json_error_t", error.text};
  };
  return {[=](std::string_view data) { return kit::render<json_t*>(load(data).get(), look); },
          [=](std::string_view data) {
            std::unique_ptr<char, void (*)(void*)> text(json_dumps(load(data).get(), JSON_ENCODE_ANY), free);
            if (!text) throw kit::Fault{"json_dumps", "no text"};
            return std::string(text.get());
          }};
}

}  // namespace

int main() {
  return kit::serve({"jansson", JANSSON_VERSION, reinterpret_cast<const void*>(&json_loadb),
                     {{"any", shim(JSON_DECODE_ANY)},
                      {"unique", shim(JSON_DECODE_ANY | JSON_REJECT_DUPLICATES)},
                      {"nul", shim(JSON_DECODE_ANY | JSON_ALLOW_NUL)}}});
}
