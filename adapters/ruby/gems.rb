# Gems of native Ruby: Oj in two of its modes, yajl-ruby. One that is not installed makes its subject absent.
module Whichwins
  module Notation
    class << self
      alias plain_leaf leaf

      # Oj makes a BigDecimal of a number with more digits than a Float keeps.
      def leaf(value)
        defined?(BigDecimal) && value.is_a?(BigDecimal) && value.finite? ? "D#{value}" : plain_leaf(value)
      end
    end
  end

  # Values are spelled by Notation: the json gem's generator would quote a BigDecimal.
  module Exact
    def exact?
      true
    end

    def unsupported(_bytes); end

    def files(pattern)
      $LOADED_FEATURES.grep(pattern).map { |path| "file #{path}" }
    end
  end

  class OjGem
    include Exact

    def initialize(options, _deepest)
      require "oj"
      @options = options.to_h { |key, text| [key.to_sym, text.to_sym] }
    end

    def identity
      ["library oj #{Oj::VERSION}", *files(%r{/oj/oj\.[a-z]+\z})]
    end

    def read(bytes)
      Oj.load(bytes.force_encoding(Encoding::UTF_8), **@options)
    rescue Oj::ParseError, EncodingError, JSON::ParserError => e
      # It quotes the text: what stands before the place and the text itself are left out.
      raise e.class, e.message.b.sub(/ \(after .*?\) at line/mn, " at line").sub(/ in '.*/mn, "")
    end

    def write(value)
      Oj.dump(value, **@options)
    end
  end

  class YajlGem
    include Exact

    def initialize(_options, _deepest)
      require "yajl"
      require "yajl/version"
    end

    def identity
      ["library yajl-ruby #{Yajl::VERSION}", *files(%r{/yajl/yajl\.[a-z]+\z})]
    end

    def read(bytes)
      Yajl::Parser.parse(bytes.force_encoding(Encoding::UTF_8))
    rescue Yajl::ParseError => e
      raise e.class, e.message.b.lines(chomp: true).first.to_s # the other lines quote the text
    end

    def write(value)
      Yajl::Encoder.encode(value)
    end
  end

  Kit::SHIMS.update("oj" => OjGem, "yajl" => YajlGem)
end
