// RapidJSON: the tree with every pair, or what FindMember finds for each name.
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/rapidjson.h>

#include "kit.hpp"

namespace {

using Value = const rapidjson::Value*;

kit::Node<Value> look(Value value, bool get) {
  kit::Node<Value> node;
  if (value == nullptr) return kit::leaf<Value>(kit::MISSING);
  switch (value->GetType()) {
    case rapidjson::kObjectType:
      node.kind = '{';
      for (const auto& member : value->GetObject()) {
        node.names.emplace_back(member.name.GetString(), member.name.GetStringLength());
        node.children.push_back(&member.value);
      }
      if (get) {
        node.names = kit::once(node.names);
        node.children.clear();
        for (const auto& name : node.names) {
          auto found = value->FindMember(rapidjson::Value(rapidjson::StringRef(name.data(), name.size())));
          node.children.push_back(found == value->MemberEnd() ? nullptr : &found->value);
        }
      }
      break;
    case rapidjson::kArrayType:
      node.kind = '[';
      for (const auto& element : value->GetArray()) node.children.push_back(&element);
      break;
    case rapidjson::kStringType: node.leaf = kit::text({value->GetString(), value->GetStringLength()}); break;
    case rapidjson::kNumberType:
      node.leaf = value->IsUint64()  ? std::to_string(value->GetUint64())
                  : value->IsInt64() ? std::to_string(value->GetInt64())
                                     : kit::binary64(value->GetDouble());
      break;
    case rapidjson::kNullType: node.leaf = "null"; break;
    default: node.leaf = kit::boolean(value->GetBool());
  }
  return node;
}

template <unsigned flags>
kit::Shim shim(bool get) {
  return {[=](std::string_view data) {
    rapidjson::Document document;
    document.Parse<flags>(data.data(), data.size());
    if (document.HasParseError())
      throw kit::Rejected{"ParseError", rapidjson::GetParseError_En(document.GetParseError())};
    return kit::render<Value>(&document, [=](Value value) { return look(value, get); });
  }};
}

}  // namespace

int main() {
  using namespace rapidjson;
  return kit::serve({"RapidJSON", RAPIDJSON_VERSION_STRING, nullptr,
                     {{"tree", shim<kParseDefaultFlags>(false)},
                      {"get", shim<kParseDefaultFlags>(true)},
                      {"exact", shim<kParseFullPrecisionFlag | kParseValidateEncodingFlag | kParseIterativeFlag>(false)}}});
}
