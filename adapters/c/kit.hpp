// A worker for parsers in C and C++: the frames and the loop of ../PROTOCOL.md, and the notation of a value.
// One program a library; it says what it is with `subject()` and what it does with `shims()`.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kit {

// How a library says no: the name that the manifest lists, and its words.
struct Rejected { std::string error, message; };
// An input that the entry point cannot be given at all.
struct Unsupported { std::string reason; };
// Anything else that was thrown.
struct Fault { std::string error, message; };

using Parse = std::function<std::string(std::string_view)>;  // bytes to notation; throws the above
using Emit = std::function<std::string(std::string_view)>;

struct Shim { Parse parse; Emit emit = nullptr; };

struct Library {
  std::string name, version;
  const void* symbol = nullptr;  // one of its functions: the file it is from is part of the identity
  std::map<std::string, Shim> shims;
};

std::string text(std::string_view bytes);
std::string binary64(double value);
std::string literal(std::string_view spelling);  // a number that is kept as it is spelled
inline std::string boolean(bool value) { return value ? "true" : "false"; }
const char* const MISSING = "X\"missing\"";  // what a lookup did not find under a name that the library gave

int serve(const Library& library);

// One value: a leaf in notation, or the children of an object or an array.
template <class T>
struct Node {
  char kind = 0;
  std::string leaf;
  std::vector<std::string> names;
  std::vector<T> children;
};

template <class T>
Node<T> leaf(std::string notation) {
  Node<T> node;
  node.leaf = std::move(notation);
  return node;
}

// The notation of a library's value, without recursion: `look` opens one value after the other.
template <class T, class Look>
std::string render(T root, Look look) {
  struct Open { Node<T> node; size_t at = 0; };
  std::string out;
  std::vector<Open> stack;
  auto open = [&](const T& value) {
    Node<T> node = look(value);
    if (!node.kind) { out += node.leaf; return; }
    out += node.kind;
    stack.push_back(Open{std::move(node)});
  };
  open(root);
  while (!stack.empty()) {
    Open& top = stack.back();
    if (top.at == top.node.children.size()) {
      out += top.node.kind == '{' ? '}' : ']';
      stack.pop_back();
      continue;
    }
    if (top.at) out += ',';
    if (top.node.kind == '{') out += text(top.node.names[top.at]) + ':';
    const T child = top.node.children[top.at++];
    open(child);
  }
  return out;
}

// Each name once, in the order in which it came first: what is then looked up.
inline std::vector<std::string> once(const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  std::set<std::string> seen;
  for (const auto& name : names) if (seen.insert(name).second) kept.push_back(name);
  return kept;
}

}  // namespace kit
