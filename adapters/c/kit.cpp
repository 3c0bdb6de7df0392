// The loop of the worker, and the notation (docs/design.md).
#include "kit.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

namespace kit {
namespace {

FILE* answers = nullptr;
std::map<std::string, std::string> stages;  // by the name of an error
const Shim* shim = nullptr;

void move_stdout() {  // afterwards descriptor 1 is standard error
  answers = fdopen(dup(1), "wb");
  dup2(2, 1);
}

std::string one_line(std::string_view words) {
  std::string line(words.substr(0, 290));
  for (char& c : line) if (c < ' ' || c > '~') c = '?';
  return line;
}

void put(std::string& out, const std::string& verb, const std::string& sequence, const std::string& body) {
  out += verb + " " + sequence + " " + std::to_string(body.size()) + "\n" + body + "\n";
}

bool is_utf8(std::string_view s, std::u32string* points) {
  for (size_t i = 0; i < s.size();) {
    unsigned char c = s[i];
    int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
    if (more < 0 || i + more >= s.size()) return false;
    char32_t point = more == 0 ? c : c & (0x3f >> more);
    for (int k = 1; k <= more; ++k) {
      unsigned char next = s[i + k];
      if ((next & 0xc0) != 0x80) return false;
      point = point << 6 | (next & 0x3f);
    }
    if ((more == 2 && (point < 0x800 || (point >= 0xd800 && point < 0xe000))) ||
        (more == 3 && (point < 0x10000 || point > 0x10ffff)))
      return false;
    points->push_back(point);
    i += more + 1;
  }
  return true;
}

std::pair<std::string, std::string> hello(const Library& library, const std::string& body) {
  std::string name;
  for (size_t at = 0; at < body.size();) {
    size_t end = body.find('\n', at);
    if (end == std::string::npos) end = body.size();
    std::string line = body.substr(at, end - at);
    at = end + 1;
    std::string key = line.substr(0, line.find(' '));
    std::string value = line.size() > key.size() ? line.substr(key.size() + 1) : "";
    if (key == "protocol" && value != "1") return {"fault", "ProtocolMismatch this kit speaks protocol 1"};
    if (key == "shim") name = value;
    if (key == "rejects") stages[value] = "parse";
    if (key == "rejects-decode") stages[value] = "decode";
  }
  auto found = library.shims.find(name);
  if (found == library.shims.end()) return {"fault", "UnknownShim this program has no such shim"};
  shim = &found->second;
  std::string said = "protocol 1\nruntime " COMPILER "\nlibrary " + library.name + " " + library.version + "\n";
  Dl_info where;
  if (library.symbol && dladdr(library.symbol, &where) && where.dli_fname && where.dli_fname[0] == '/')
    said += std::string("file ") + where.dli_fname + "\n";
  said += "capability parse\n";
  if (shim->emit) said += "capability emit\n";
  return {"ready", said};
}

std::pair<std::string, std::string> failed(const std::string& error, const std::string& message) {
  auto stage = stages.find(error);
  if (stage != stages.end()) return {"reject", one_line(stage->second + " " + error + " " + message)};
  return {"fault", one_line(error + " " + message)};
}

std::pair<std::string, std::string> answer(const std::string& verb, std::string_view body) {
  bool emit = verb == "emit" && shim && shim->emit;
  if (!shim || (verb != "parse" && !emit)) return {"unsupported", "no " + verb};
  // A buffer of its own, as large as the text, so that nothing beside it can be read by mistake.
  std::string data(body);
  try {
    return {"accept", emit ? shim->emit(data) : shim->parse(data)};
  } catch (const Rejected& no) {
    return failed(no.error, no.message);
  } catch (const Unsupported& no) {
    return {"unsupported", one_line(no.reason)};
  } catch (const Fault& fault) {
    return {"fault", one_line(fault.error + " " + fault.message)};
  } catch (const std::bad_alloc&) {
    return {"fault", "bad_alloc"};
  } catch (const std::exception& e) {
    return {"fault", one_line(std::string("exception ") + e.what())};
  }
}

bool exactly(std::string& into, size_t size) {
  into.resize(size);
  return size == 0 || fread(&into[0], 1, size, stdin) == size;
}

// A header that begins at `at` of a batch.
bool inner(const std::string& body, size_t& at, std::string& verb, std::string& sequence, std::string_view& text) {
  if (at >= body.size()) return false;
  size_t end = body.find('\n', at), first = body.find(' ', at), second = body.find(' ', first + 1);
  verb = body.substr(at, first - at);
  sequence = body.substr(first + 1, second - first - 1);
  size_t length = std::strtoull(body.c_str() + second + 1, nullptr, 10);
  text = std::string_view(body).substr(end + 1, length);
  at = end + 1 + length + 1;
  return true;
}

}  // namespace

std::string text(std::string_view s) {
  char hex[16];
  std::u32string points;
  if (!is_utf8(s, &points)) {
    std::string out = "b\"";
    for (unsigned char c : s) { snprintf(hex, sizeof hex, "%02x", c); out += hex; }
    return out + '"';
  }
  std::string out = "\"";
  for (char32_t c : points) {
    static const char* const SHORT = "\"\\\b\f\n\r\t";
    static const char* const NAMES = "\"\\bfnrt";
    const char* known = c && c < 0x80 ? std::strchr(SHORT, int(c)) : nullptr;
    if (known) { out += '\\'; out += NAMES[known - SHORT]; continue; }
    if (c >= ' ' && c <= '~') { out += char(c); continue; }
    if (c < 0x10000) snprintf(hex, sizeof hex, "\\u%04x", unsigned(c));
    else snprintf(hex, sizeof hex, "\\u%04x\\u%04x", unsigned(0xd7c0 + (c >> 10)), unsigned(0xdc00 | (c & 0x3ff)));
    out += hex;
  }
  return out + '"';
}

std::string binary64(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char spelling[40];
  snprintf(spelling, sizeof spelling, "%.17g", value);  // whichwins makes it canonical
  if (!std::strpbrk(spelling, ".e")) std::strcat(spelling, ".0");
  return spelling;
}

std::string literal(std::string_view s) {
  size_t i = 0;
  auto digits = [&] { size_t from = i; while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i; return i > from; };
  if (i < s.size() && s[i] == '-') ++i;
  bool good = digits();
  if (good && i < s.size() && s[i] == '.') { ++i; good = digits(); }
  if (good && i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    good = digits();
  }
  if (good && i == s.size()) return "D" + std::string(s);
  return "X\"number\"";
}

int serve(const Library& library) {
  move_stdout();
  std::string head, body, out;
  for (int c;;) {
    head.clear();
    while ((c = getc(stdin)) != EOF && c != '\n') head += char(c);
    if (c == EOF) return 0;
    size_t first = head.find(' '), second = head.find(' ', first + 1);
    std::string verb = head.substr(0, first), sequence = head.substr(first + 1, second - first - 1);
    if (!exactly(body, std::strtoull(head.c_str() + second + 1, nullptr, 10) + 1)) return 0;
    body.pop_back();
    if (verb == "bye") return 0;
    out.clear();
    if (verb == "hello") {
      auto said = hello(library, body);
      put(out, said.first, "0", said.second);
    } else if (verb == "batch") {
      std::string_view one;
      for (size_t at = 0; inner(body, at, verb, sequence, one);) {
        auto said = answer(verb, one);
        put(out, said.first, sequence, said.second);
      }
    } else {
      auto said = answer(verb, body);
      put(out, said.first, sequence, said.second);
    }
    fwrite(out.data(), 1, out.size(), answers);
    fflush(answers);
  }
}

}  // namespace kit
