# The Ruby adapter's kit and shims, all but input and output: native Ruby (worker.rb) and CRuby as
# WebAssembly (wasm/worker.mjs) run this same source. Ruby >= 2.7; frames are those of ../PROTOCOL.md.
require "json"

module Whichwins
  # The notation: every value, at any depth.
  module Notation
    ODD = /[^ !#-\[\]-~]/.freeze
    SHORT = { "\"" => "\\\"", "\\" => "\\\\", "\b" => "\\b", "\f" => "\\f",
              "\n" => "\\n", "\r" => "\\r", "\t" => "\\t" }.freeze
    module_function

    def quote(string)
      text = string.encoding == Encoding::BINARY ? string.dup.force_encoding(Encoding::UTF_8) : string
      return %(b"#{string.unpack1('H*')}") unless text.valid_encoding?
      text = text.encode(Encoding::UTF_8)
      return %("#{text}") unless text.match?(ODD)
      %("#{text.gsub(ODD) { |char| SHORT[char] || escape(char.ord) }}")
    end

    def escape(code)
      return format("\\u%04x", code) if code < 0x10000
      format("\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff))
    end

    def leaf(value)
      case value
      when String then quote(value)
      when nil then "null"
      when true, false, Integer, Float then value.to_s
      else "X#{quote(value.class.name.to_s)}"
      end
    end

    def name(key)
      return quote(key) if key.is_a?(String)
      "X#{quote("#{key.class.name.to_s.downcase}:#{key}")}"
    end

    def write(root)
      out = +""
      stack = []
      value = root
      loop do
        if value.instance_of?(Array)
          out << "["
          stack << [value, nil, 0, "]"]
        elsif value.instance_of?(Hash)
          out << "{"
          stack << [value.values, value.keys, 0, "}"]
        else
          out << leaf(value)
        end
        while stack.any? && stack.last[2] == stack.last[0].length
          out << stack.pop[3]
        end
        return out if stack.empty?
        frame = stack.last
        values, keys, at = frame
        frame[2] += 1
        out << "," if at > 0
        out << name(keys[at]) << ":" if keys
        value = values[at]
      end
    end
  end

  # The same text from the json gem's generator: eight times faster. It is used only after it has
  # proved itself on what is difficult, and never for what it refuses (bad UTF-8, Infinity).
  module Quick
    TEXTS = { "" => nil, "a\u0000\u001f\"\\/\b\f\n\r\t \u00e9\u2028\u{1f600}" => [[], {}, true, 0, -(10**40)] }.freeze
    FLOATS = [0.0, -0.0, 20.0, 0.1, 1e15, 1e16, 1e22, 1e23, 1e-5, 5e-324, 1.7976931348623157e308].freeze
    # The generator recurses: in WebAssembly 89 levels of objects end the VM, which keeps all of
    # the C stack at every level. What is deeper than this goes to the iterative writer.
    DEEPEST = 50
    REFUSED = ["\xff", "\xc0\xaf", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", 1 / 0.0, 0 / 0.0].freeze
    module_function

    def write(value)
      text = @state.generate(value)
      text.include?("\x7f") ? text.gsub("\x7f", "\\u007f") : text
    rescue StandardError, SystemStackError
      renew
      Notation.write(value)
    end

    def renew
      @state = JSON::State.new(ascii_only: true, max_nesting: DEEPEST)
    end

    def fit?
      renew
      floats = @state.generate(FLOATS)[1..-2].split(",")
      @state.generate(TEXTS) == Notation.write(TEXTS) && floats.all? { |text| text.match?(/[.e]/) } &&
        floats.map { |text| Float(text) }.pack("G*") == FLOATS.pack("G*") && REFUSED.all? { |value| refuses?(value) }
    rescue StandardError
      false
    end

    def refuses?(value)
      @state.generate([value])
      false
    rescue JSON::GeneratorError
      renew
    end
  end

  # A shim: how a library reads bytes and writes a value.
  class JsonGem
    WORDS = { "true" => true, "false" => false, "nil" => nil }.freeze

    def initialize(options, deepest)
      @options = options.to_h { |key, text| [key.to_sym, WORDS.fetch(text) { Integer(text, exception: false) || text }] }
      limit = @options.fetch(:max_nesting, 100) || 0
      @deepest = deepest unless (1..100).cover?(limit)
    end

    def identity
      files = $LOADED_FEATURES.grep(%r{/json/ext/(parser|generator)\.[a-z]+\z}).map { |path| "file #{path}" }
      ["library json #{JSON::VERSION}", "detail parser=#{JSON::Parser}", *files]
    end

    def read(bytes)
      JSON.parse(bytes.force_encoding(Encoding::UTF_8), **@options)
    end

    def write(value)
      JSON.generate(value)
    end

    # Why this case cannot be put to the parser here, if so.
    def unsupported(bytes)
      return if @deepest.nil? || bytes.count("[{") <= @deepest
      depth = 0
      deep = bytes.to_enum(:scan, /"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]/mn).any? do |token|
        depth += { "[" => 1, "{" => 1, "]" => -1, "}" => -1 }.fetch(token, 0)
        depth > @deepest
      end
      "deeper than #{@deepest}: an error raised there overflows the WebAssembly host's stack" if deep
    end
  end

  # The kit: answers to frames.
  class Kit
    SHIMS = { "json" => JsonGem } # gems.rb adds to it, on native Ruby

    attr_reader :extra

    # `extra`: further lines of identity. `deepest`: the nesting the host can carry, nil for any.
    def initialize(extra = [], deepest = nil)
      @extra = extra
      @deepest = deepest
      @stages = {}
      @render = Quick.fit? ? Quick : Notation
    end

    # The answers to the frames of a batch.
    def batch(frames)
      answers = +"".b
      at = 0
      while at < frames.bytesize
        line = frames.index("\n", at)
        verb, sequence, length = frames.byteslice(at, line - at).split(" ")
        answers << answer(verb, sequence, frames.byteslice(line + 1, length.to_i))
        at = line + 2 + length.to_i
      end
      answers
    end

    def answer(verb, sequence, body)
      @reading = false
      says, text = ask(verb, body)
      "#{says} #{sequence} #{text.bytesize}\n".b << text.b << "\n"
    rescue SignalException, SystemExit
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException -- SystemStackError, NoMemoryError
      says, text = failure(e)
      "#{says} #{sequence} #{text.bytesize}\n#{text}\n"
    end

    private

    def ask(verb, body)
      return hello(body) if verb == "hello"
      return ["unsupported", "no #{verb}"] unless @shim && %w[parse emit].include?(verb)
      reason = @shim.unsupported(body)
      return ["unsupported", reason] if reason
      @reading = true
      value = @shim.read(body)
      @reading = false
      ["accept", verb == "parse" ? @render.write(value) : @shim.write(value)]
    end

    def hello(body)
      lines = body.force_encoding(Encoding::UTF_8).lines(chomp: true).map { |line| line.split(" ", 2) }
      get = ->(key) { lines.select { |name, _| name == key }.map { |_, value| value } }
      return ["fault", "ProtocolMismatch this kit speaks protocol 1"] unless get["protocol"] == ["1"]
      kind = SHIMS[get["shim"].first] or return ["fault", "UnknownShim this adapter has no such shim"]
      begin
        @shim = kind.new(get["option"].map { |text| text.split("=", 2) }, @deepest)
      rescue LoadError => e
        return ["fault", "LoadError #{e.message.gsub(/[^ -~]/, "?")}"]
      end
      @render = Notation if @shim.respond_to?(:exact?)
      get["rejects"].each { |error| @stages[error] = "parse" }
      get["rejects-decode"].each { |error| @stages[error] = "decode" }
      # A 32-bit platform reads some numbers otherwise: it is part of what the runtime is.
      platform = RUBY_PLATFORM.start_with?("wasm") ? " (#{RUBY_PLATFORM})" : ""
      ready = ["protocol 1", "runtime CRuby #{RUBY_VERSION}#{platform}", *@shim.identity, *@extra, "capability parse", "capability emit"]
      ["ready", ready.map { |line| "#{line}\n" }.join]
    end

    def failure(error)
      name = error.class.name
      text = "#{name} #{error.message.b[0, 200]}".b.gsub(/[^ -~]/n, "?")
      stage = @stages[name] if @reading
      stage ? ["reject", "#{stage} #{text}"] : ["fault", text]
    end
  end
end
