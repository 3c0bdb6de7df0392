# The floor of the Ruby subject: see floor.py.
require "json"

_key, path = ARGV
blob = File.binread(path)
texts = []
at = 0
while at < blob.bytesize
  size = blob.byteslice(at, 4).unpack1("V")
  texts << blob.byteslice(at + 4, size)
  at += 4 + size
end
start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
texts.each do |bytes|
  JSON.parse(bytes.force_encoding(Encoding::UTF_8))
rescue StandardError
  nil
end
puts Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
