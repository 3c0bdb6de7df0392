<?php
// The PHP adapter: json_decode. Frames are those of ../PROTOCOL.md.
declare(strict_types=1);

ob_start(static fn (): string => ''); // what anything prints is no frame
$answers = fopen('php://stdout', 'wb');

function quote(string $text): string
{
    if (!preg_match('//u', $text)) {
        return 'b"' . bin2hex($text) . '"';
    }
    return str_replace("\x7f", '\u007f', json_encode($text, JSON_UNESCAPED_SLASHES));
}

// Recursive: json_decode refuses more than 512 levels.
function notation(mixed $value): string
{
    if (is_string($value)) {
        return quote($value);
    }
    if (is_float($value)) {
        return ['NAN' => 'NaN', 'INF' => 'Infinity', '-INF' => '-Infinity'][$spelled = var_export($value, true)]
            ?? strtolower($spelled);
    }
    if (is_array($value) && array_is_list($value)) {
        return '[' . implode(',', array_map('notation', $value)) . ']';
    }
    if (is_array($value) || $value instanceof stdClass) {
        $members = [];
        foreach ($value as $name => $member) { // PHP has one key for 1 and "1"
            $members[] = quote((string) $name) . ':' . notation($member);
        }
        return '{' . implode(',', $members) . '}';
    }
    if (is_object($value)) {
        return 'X' . quote(get_class($value));
    }
    return $value === null ? 'null' : (is_bool($value) ? ($value ? 'true' : 'false') : (string) $value);
}

const ERRORS = ['JSON_ERROR_DEPTH', 'JSON_ERROR_STATE_MISMATCH', 'JSON_ERROR_CTRL_CHAR', 'JSON_ERROR_SYNTAX',
    'JSON_ERROR_UTF8', 'JSON_ERROR_INVALID_PROPERTY_NAME', 'JSON_ERROR_UTF16'];

final class Kit
{
    private array $stages = [];
    private ?bool $associative = null;
    private int $flags = 0;
    private bool $ready = false;

    private function hello(string $body): array
    {
        foreach (explode("\n", $body) as $line) {
            [$key, $value] = explode(' ', $line, 2) + ['', ''];
            if ($key === 'protocol' && $value !== '1') {
                return ['fault', 'ProtocolMismatch this kit speaks protocol 1'];
            }
            if ($key === 'shim' && $value !== 'json') {
                return ['fault', 'UnknownShim this adapter has no such shim'];
            }
            if ($key === 'rejects' || $key === 'rejects-decode') {
                $this->stages[$value] = $key === 'rejects' ? 'parse' : 'decode';
            }
            if ($key === 'option') {
                [$name, $text] = explode('=', $value, 2);
                $name === 'associative' ? $this->associative = $text === 'true' : $this->flags |= constant($text);
            }
        }
        $this->ready = true;
        return ['ready', implode("\n", ['protocol 1', 'runtime PHP ' . PHP_VERSION, 'library json ' . phpversion('json'),
            'detail depth=512', 'file ' . PHP_BINARY, 'capability parse', 'capability emit', ''])];
    }

    private function ask(string $verb, string $body): array
    {
        if (!$this->ready || ($verb !== 'parse' && $verb !== 'emit')) {
            return ['unsupported', "no $verb"];
        }
        $value = json_decode($body, $this->associative, 512, $this->flags);
        if (($error = json_last_error()) !== JSON_ERROR_NONE) {
            $said = json_last_error_msg();
            foreach (ERRORS as $name) {
                if (constant($name) === $error && isset($this->stages[$name])) {
                    return ['reject', "{$this->stages[$name]} $name $said"];
                }
            }
            return ['fault', "JSON_ERROR_$error $said"];
        }
        return ['accept', $verb === 'parse' ? notation($value) : (string) json_encode($value)];
    }

    public function answer(string $verb, string $sequence, string $body): string
    {
        try {
            [$says, $text] = $verb === 'hello' ? $this->hello($body) : $this->ask($verb, $body);
        } catch (Throwable $error) {
            $says = 'fault';
            $text = get_class($error) . ' ' . preg_replace('/[^ -~]/', '?', substr($error->getMessage(), 0, 250));
        }
        return "$says $sequence " . strlen($text) . "\n$text\n";
    }

    public function batch(string $frames): string
    {
        $answers = '';
        for ($at = 0; $at < strlen($frames);) {
            $line = strpos($frames, "\n", $at);
            [$verb, $sequence, $length] = explode(' ', substr($frames, $at, $line - $at));
            $answers .= $this->answer($verb, $sequence, substr($frames, $line + 1, (int) $length));
            $at = $line + 2 + (int) $length;
        }
        return $answers;
    }
}

function take(int $size): string
{
    $body = '';
    while (strlen($body) < $size) {
        $more = fread(STDIN, $size - strlen($body));
        if ($more === false || $more === '') {
            exit(0);
        }
        $body .= $more;
    }
    return $body;
}

$kit = new Kit();
while (($head = fgets(STDIN)) !== false) {
    [$verb, $sequence, $length] = explode(' ', rtrim($head));
    $body = substr(take((int) $length + 1), 0, -1);
    if ($verb === 'bye') {
        break;
    }
    $reply = $verb === 'batch' ? $kit->batch($body) : $kit->answer($verb, $sequence, $body);
    for ($sent = 0; $sent < strlen($reply);) {
        $sent += fwrite($answers, substr($reply, $sent, 1 << 20));
    }
    fflush($answers);
}
