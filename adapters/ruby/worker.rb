# The Ruby adapter on native Ruby: frames on stdin and stdout (../PROTOCOL.md), answers from shim.rb.
frames = STDOUT.dup
STDOUT.reopen(STDERR) # before a library is loaded: a banner must not meet the frames
STDIN.binmode
frames.binmode
frames.sync = true

require_relative "shim"
require_relative "gems"

kit = Whichwins::Kit.new
while (head = STDIN.gets)
  verb, sequence, length = head.split(" ")
  body = STDIN.read(length.to_i + 1)
  break if verb == "bye" || body.nil? || body.bytesize <= length.to_i
  body = body.byteslice(0, length.to_i)
  frames.write(verb == "batch" ? kit.batch(body) : kit.answer(verb, sequence, body))
end
