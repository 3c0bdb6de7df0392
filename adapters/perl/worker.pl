# The Perl adapter: JSON::PP, JSON::XS, Cpanel::JSON::XS. Frames are those of ../PROTOCOL.md.
use strict;
use warnings;
no warnings 'recursion';    # what comes out is at most 512 levels deep
use B ();

# The protocol leaves descriptor 1 before a library is loaded: what it prints goes to standard error.
open(my $answers, '>&', \*STDOUT) or die $!;
open(STDOUT, '>&', \*STDERR) or die $!;
binmode $_ for \*STDIN, $answers;

my %stages;    # what error names mean, from the manifest
my $parser;

sub frame {
    my ($verb, $number, $body) = @_;
    return sprintf "%s %d %d\n%s\n", $verb, $number, length $body, $body;
}

sub one_line {
    my $text = substr shift, 0, 300;
    $text =~ s/[^ -~]/?/g;
    return $text;
}

my %short = ('"' => '\"', '\\' => '\\\\', "\b" => '\b', "\f" => '\f', "\n" => '\n', "\r" => '\r',
    "\t" => '\t');

sub escape {
    my $code = ord shift;
    return $short{chr $code} // sprintf '\u%04x', $code if $code < 0x10000;
    return sprintf '\u%04x\u%04x', 0xd7c0 + ($code >> 10), 0xdc00 | $code & 0x3ff;
}

sub text {
    my $text = shift;
    return 'X"text:' . join(' ', map { sprintf 'U+%04X', ord } split //, $text) . '"'
        if $text =~ /[^\x{0}-\x{10ffff}]/;                      # Perl has more characters than Unicode
    return 'u"' . unpack('H*', pack 'N*', map { ord } split //, $text) . '"'
        if $text =~ /[\x{d800}-\x{dbff}][\x{dc00}-\x{dfff}]/;    # would read as one character
    $text =~ s/([^ !#-\[\]-~])/escape($1)/ge;
    return qq("$text");
}

sub number {
    my ($value, $flags) = @_;
    return "$value" if $flags & B::SVf_IOK;                      # an integer of the host
    return 'NaN' if $value != $value;
    return $value > 0 ? 'Infinity' : '-Infinity' if $value * 0 != 0;
    my $spelling = sprintf '%.17g', $value;                      # whichwins makes it canonical
    return $spelling =~ /[.e]/ ? $spelling : "$spelling.0";
}

sub notation {
    my $value = shift;
    return 'null' if !defined $value;
    my $kind = ref $value;
    return '[' . join(',', map { notation($_) } @$value) . ']' if $kind eq 'ARRAY';
    # Perl keeps no order, and a different one in every process: so sorted.
    return '{' . join(',', map { text($_) . ':' . notation($value->{$_}) } sort keys %$value) . '}'
        if $kind eq 'HASH';
    return $value ? 'true' : 'false' if $kind eq 'JSON::PP::Boolean';
    return 'X' . text($kind) if $kind;
    my $flags = B::svref_2object(\$value)->FLAGS;
    return number($value, $flags) if $flags & (B::SVf_IOK | B::SVf_NOK) && !($flags & B::SVf_POK);
    return text($value);
}

# How each says no: dies with plain text that carries an offset. What stands there of the input is left out.
sub failure {
    my $message = shift;
    my $says_no = $message =~ /, at character offset \d+/;
    $message =~ s/ \(before ".*//s;
    $message =~ s/ at \S+ line \d+.*//s;
    my $name = !$says_no ? 'die' : $message =~ /^malformed UTF-8/ ? 'MalformedUTF8' : 'DecodeError';
    return 'fault', "$name " . one_line($message) if !$stages{$name};
    return 'reject', "$stages{$name} $name " . one_line($message);
}

sub answer {
    my ($verb, $number, $data) = @_;
    return frame('unsupported', $number, "no $verb") if !$parser || $verb !~ /^(?:parse|emit)$/;
    my ($value, $written);
    eval { $value = $parser->decode($data); 1 } or do {
        my ($said, $text) = failure($@);
        return frame($said, $number, $text);
    };
    return frame('accept', $number, notation($value)) if $verb eq 'parse';
    eval { $written = $parser->encode($value); 1 }
        or return frame('fault', $number, 'die ' . one_line($@));
    return frame('accept', $number, $written);
}

my %shims = (
    'json-pp' => ['JSON::PP', 'JSON/PP.pm'],
    'json-xs' => ['JSON::XS', 'auto/JSON/XS/XS.so'],
    'cpanel' => ['Cpanel::JSON::XS', 'auto/Cpanel/JSON/XS/XS.so'],
);

sub start {
    my (%options, $shim);
    for (split /\n/, shift) {
        return 'fault', 'ProtocolMismatch protocol 1 only' if /^protocol (?!1$)/;
        $stages{$1} = 'parse' if /^rejects (\S+)$/;
        $stages{$1} = 'decode' if /^rejects-decode (\S+)$/;
        $shim = $shims{$1} if /^shim (\S+)$/;
        $options{$1} = $2 if /^option (\w+)=([01])$/;
    }
    return 'fault', 'UnknownShim this adapter has no such shim' if !$shim;
    my ($class, $file) = @$shim;
    (my $module = "$class.pm") =~ s{::}{/}g;
    eval { require $module; 1 } or return 'fault', 'ImportError ' . one_line($@);
    $parser = $class->new->utf8->allow_nonref;
    $parser->$_($options{$_}) for sort keys %options;
    my ($path) = grep { -f } map { ref $_ ? () : "$_/$file" } @INC;
    return 'ready', join '', map { "$_\n" } 'protocol 1', sprintf('runtime Perl %vd', $^V),
        "library $class " . $class->VERSION, (map { "file $_" } grep { defined } $path),
        'capability parse', 'capability emit';
}

sub read_frame {
    my $source = shift;
    my ($verb, $number, $length) = split / /, readline($source) // return 'bye';
    read($source, my $body, $length + 1) == $length + 1 or die "half a frame\n";
    return $verb, $number, substr $body, 0, $length;
}

while (1) {
    my ($verb, $number, $body) = read_frame(\*STDIN);
    last if $verb eq 'bye';
    my $reply = '';
    if ($verb eq 'hello') {
        my ($said, $text) = start($body);
        $reply = frame($said, 0, $text);
    } elsif ($verb eq 'batch') {    # whole before the first answer, so that two full pipes cannot deadlock
        open(my $inner, '<', \$body) or die $!;
        while ((my @asked = read_frame($inner))[0] ne 'bye') { $reply .= answer(@asked) }
    } else {
        $reply = answer($verb, $number, $body);
    }
    print {$answers} $reply;
    $answers->flush;
}
