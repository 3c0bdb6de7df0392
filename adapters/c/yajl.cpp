// yajl: the events of its parser, or its tree and yajl_tree_get.
#include <yajl/yajl_parse.h>
#include <yajl/yajl_tree.h>
#include <yajl/yajl_version.h>

#include <memory>

#include "kit.hpp"

namespace {

// What the events say, in notation.
struct Events {
  std::string out;
  std::vector<std::pair<bool, bool>> open;  // an object? anything in it?
  void before() {
    if (open.empty() || open.back().first) return;
    if (open.back().second) out += ',';
    open.back().second = true;
  }
  int leaf(const std::string& notation) { before(); out += notation; return 1; }
  int start(bool object) { before(); out += object ? '{' : '['; open.emplace_back(object, false); return 1; }
  int end() { out += open.back().first ? '}' : ']'; open.pop_back(); return 1; }
  int key(std::string_view name) {
    if (open.back().second) out += ',';
    open.back().second = true;
    out += kit::text(name) + ':';
    return 1;
  }
};

Events& at(void* context) { return *static_cast<Events*>(context); }
std::string_view bytes(const unsigned char* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

const yajl_callbacks CALLS = {
    [](void* c) { return at(c).leaf("null"); },
    [](void* c, int value) { return at(c).leaf(kit::boolean(value)); },
    nullptr,
    nullptr,
    [](void* c, const char* number, size_t size) { return at(c).leaf(kit::literal({number, size})); },
    [](void* c, const unsigned char* text, size_t size) { return at(c).leaf(kit::text(bytes(text, size))); },
    [](void* c) { return at(c).start(true); },
    [](void* c, const unsigned char* name, size_t size) { return at(c).key(bytes(name, size)); },
    [](void* c) { return at(c).end(); },
    [](void* c) { return at(c).start(false); },
    [](void* c) { return at(c).end(); }};

std::string events(std::string_view data) {
  Events said;
  std::unique_ptr<yajl_handle_t, void (*)(yajl_handle)> reader(yajl_alloc(&CALLS, nullptr, &said), yajl_free);
  auto text = reinterpret_cast<const unsigned char*>(data.data());
  if (yajl_parse(reader.get(), text, data.size()) != yajl_status_ok ||
      yajl_complete_parse(reader.get()) != yajl_status_ok) {
    unsigned char* words = yajl_get_error(reader.get(), 0, nullptr, 0);
    std::string message = reinterpret_cast<char*>(words);
    yajl_free_error(reader.get(), words);
    throw kit::Rejected{"yajl_status_error", message};
  }
  return said.out;
}

kit::Node<yajl_val> look(yajl_val value) {
  kit::Node<yajl_val> node;
  if (value == nullptr) return kit::leaf<yajl_val>(kit::MISSING);
  switch (value->type) {
    case yajl_t_object: {
      node.kind = '{';
      for (size_t i = 0; i < value->u.object.len; ++i) node.names.push_back(value->u.object.keys[i]);
      node.names = kit::once(node.names);
      for (const auto& name : node.names) {
        const char* path[] = {name.c_str(), nullptr};
        node.children.push_back(yajl_tree_get(value, path, yajl_t_any));
      }
      break;
    }
    case yajl_t_array:
      node.kind = '[';
      node.children.assign(value->u.array.values, value->u.array.values + value->u.array.len);
      break;
    case yajl_t_string: node.leaf = kit::text(value->u.string); break;
    case yajl_t_number: node.leaf = kit::literal(value->u.number.r); break;
    case yajl_t_true: node.leaf = "true"; break;
    case yajl_t_false: node.leaf = "false"; break;
    default: node.leaf = "null";
  }
  return node;
}

std::string tree(std::string_view data) {
  if (data.find('\0') != std::string_view::npos) throw kit::Unsupported{"a NUL ends the text that it takes"};
  char words[300] = "";
  std::unique_ptr<yajl_val_s, void (*)(yajl_val)> root(
      yajl_tree_parse(std::string(data).c_str(), words, sizeof words), yajl_tree_free);
  if (!root) throw kit::Rejected{"NULL", words};
  return kit::render<yajl_val>(root.get(), look);
}

std::string version() {
  int number = yajl_version();
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
}

}  // namespace

int main() {
  return kit::serve({"yajl", version(), reinterpret_cast<const void*>(&yajl_version), {{"events", {events}}, {"tree", {tree}}}});
}
