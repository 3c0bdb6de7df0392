// jsoncpp: CharReaderBuilder as it comes, and in strict mode.
#if __has_include(<jsoncpp/json/json.h>)
#include <jsoncpp/json/json.h>  // where Debian has it
#else
#include <json/json.h>
#endif

#include <memory>

#include "kit.hpp"

namespace {

kit::Node<const Json::Value*> look(const Json::Value* value) {
  kit::Node<const Json::Value*> node;
  switch (value->type()) {
    case Json::objectValue:
      node.kind = '{';
      for (auto at = value->begin(); at != value->end(); ++at) {
        node.names.push_back(at.name());
        node.children.push_back(&*at);
      }
      break;
    case Json::arrayValue:
      node.kind = '[';
      for (const auto& element : *value) node.children.push_back(&element);
      break;
    case Json::stringValue: node.leaf = kit::text(value->asString()); break;
    case Json::intValue: node.leaf = std::to_string(value->asLargestInt()); break;
    case Json::uintValue: node.leaf = std::to_string(value->asLargestUInt()); break;
    case Json::realValue: node.leaf = kit::binary64(value->asDouble()); break;
    case Json::booleanValue: node.leaf = kit::boolean(value->asBool()); break;
    case Json::nullValue: node.leaf = "null"; break;
  }
  return node;
}

kit::Shim shim(bool strict) {
  return {[=](std::string_view data) {
    Json::CharReaderBuilder builder;
    if (strict) Json::CharReaderBuilder::strictMode(&builder.settings_);
    std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value root;
    std::string errors;
    bool good;
    try {
      good = reader->parse(data.data(), data.data() + data.size(), &root, &errors);
    } catch (const Json::Exception& e) {  // the limit on depth
      throw kit::Rejected{"Json::Exception", e.what()};
    }
    if (!good) throw kit::Rejected{"parse", errors};
    return kit::render<const Json::Value*>(&root, look);
  }};
}

}  // namespace

int main() {
  return kit::serve({"jsoncpp", JSONCPP_VERSION_STRING, reinterpret_cast<const void*>(&Json::CharReaderBuilder::strictMode),
                     {{"plain", shim(false)}, {"strict", shim(true)}}});
}
