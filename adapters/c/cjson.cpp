// cJSON: the tree with every pair, or what its getters find for each name.
#include <cjson/cJSON.h>

#include <memory>

#include "kit.hpp"

namespace {

using Item = const cJSON*;
using Get = cJSON* (*)(const cJSON*, const char*);

kit::Node<Item> look(Item item, Get get) {
  kit::Node<Item> node;
  if (item == nullptr) return kit::leaf<Item>(kit::MISSING);
  if (cJSON_IsObject(item) || cJSON_IsArray(item)) {
    node.kind = cJSON_IsObject(item) ? '{' : '[';
    for (Item child = item->child; child; child = child->next) {
      if (node.kind == '{') node.names.push_back(child->string);
      node.children.push_back(child);
    }
    if (node.kind == '{' && get) {
      node.names = kit::once(node.names);
      node.children.clear();
      for (const auto& name : node.names) node.children.push_back(get(item, name.c_str()));
    }
    return node;
  }
  if (cJSON_IsString(item)) return kit::leaf<Item>(kit::text(item->valuestring));
  if (cJSON_IsNumber(item)) return kit::leaf<Item>(kit::binary64(item->valuedouble));
  if (cJSON_IsBool(item)) return kit::leaf<Item>(kit::boolean(cJSON_IsTrue(item)));
  return kit::leaf<Item>(cJSON_IsNull(item) ? "null" : "X\"cJSON\"");
}

kit::Shim shim(bool whole, Get get) {
  return {[=](std::string_view data) {
    // `whole`: with the NUL behind it, which cJSON then demands.
    std::string text(data);
    std::unique_ptr<cJSON, void (*)(cJSON*)> root(
        whole ? cJSON_ParseWithLengthOpts(text.c_str(), text.size() + 1, nullptr, 1)
              : cJSON_ParseWithLength(text.data(), text.size()),
        cJSON_Delete);
    if (!root) throw kit::Rejected{"NULL", "no value"};
    return kit::render<Item>(root.get(), [=](Item item) { return look(item, get); });
  }};
}

}  // namespace

int main() {
  return kit::serve({"cJSON", cJSON_Version(), reinterpret_cast<const void*>(&cJSON_Version),
                     {{"tree", shim(false, nullptr)},
                      {"whole", shim(true, nullptr)},
                      {"get", shim(false, cJSON_GetObjectItemCaseSensitive)},
                      {"get_nocase", shim(false, cJSON_GetObjectItem)}}});
}
