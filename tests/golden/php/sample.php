<?php

declare(strict_types=1);

namespace Acme\Ledger;

use Acme\Net\Transport;
use Acme\Net\Transport as Wire;
use Acme\Storage\{Base, Row as StoredRow, Cache\Memory};
use function Acme\Util\verify;
use const Acme\Util\LIMIT;
use function Acme\Util\{first, second as other};
use RuntimeException, LogicException;

require_once __DIR__ . '/bootstrap.php';
include 'helpers.php';

define('LEDGER_VERSION', '1.0');
const TOP = 1;

/**
 * Everything that can be stored.
 */
interface Stored extends \JsonSerializable, Row
{
    const KIND = 'stored';

    public function load(string $key): ?self;
}

/**
 * Counts things.
 */
trait Counted
{
    private int $count = 0;

    abstract protected function step(): int;

    public static function reset(): void
    {
        self::$total = 0;
    }
}

/**
 * One account.
 *
 * @property-read string $label
 */
#[Entity('accounts')]
#[Cached]
abstract class Account extends Base implements Stored, \Countable
{
    use Counted, Logged {
        Counted::step insteadof Logged;
        reset as protected clear;
    }
    use \Acme\Util\Helpful;

    public const MAX_RETRIES = 3, MIN_RETRIES = 1;
    private const string SECRET = 'x';
    final protected const MODES = ['fast', 'slow'];

    /** @var Event[] */
    protected array $events = [];
    public static ?Clock $clock = null;
    private readonly Wire $client, $spare;
    var $legacy;

    /**
     * Makes one.
     */
    public function __construct(
        #[Inject] private readonly Transport $transport,
        protected string $owner = 'main',
        ?Row $row = null,
        int ...$codes,
    ) {
        parent::__construct($owner);
        $this->client = new Wire($transport);
        self::$clock ??= new Clock();
    }

    // Whether money can move.
    public function isOpen(): bool
    {
        return $this->balance >= 0;
    }

    #[Route('/accounts/{id}', methods: ['GET'])]
    final public function find(string|int $key, bool $strict = false, Mode ...$modes): ?static
    {
        $client = $this->transport->connect();
        $event = $client->fetch($key);
        $memory = Memory::create('a');
        foreach ($this->sessions() as $session) {
            $session->close();
        }
        foreach ($event->rows as $name => $row) {
            $row->touch($name);
        }
        try {
            verify($event);
        } catch (StorageError | NetworkError $error) {
            $error->report();
            throw $error;
        }
        if (!$strict) {
            throw new NotFound("no $key");
        }
        $rows = array_map(fn (Row $row) => $row->id(), $this->rows());
        $known = array_filter($rows, [$this, 'isKnown']);
        $sorted = usort($rows, self::compare(...));
        $handler = function (Event $fired) use ($client): void {
            $fired->send($client);
        };
        $listener = new class ($client) extends Listener implements Closing {
            public function on(Event $fired): void
            {
                $fired->touch();
            }
        };
        $home = getenv('ACCOUNT_HOME') ?: $_ENV['ACCOUNT_FALLBACK'];
        $label = match (true) {
            $event instanceof Audit => $event->write(),
            default => Status::Open->label(),
        };
        $client?->ping(timeout: static::MAX_RETRIES);
        \Acme\Util\log($label);
        return new static($this->transport);
    }

    abstract protected function size(): int;

    protected static function compare(Account $left, Account $right): int
    {
        return $left->size() <=> $right->size();
    }

    public function __get($name)
    {
        return $this->data[$name] ?? parent::__get($name);
    }
}

enum Status: string implements Labelled
{
    case Open = 'open';
    /** No more bookings. */
    case Closed = 'closed';

    const DEFAULT = self::Open;

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

final class Registry
{
    public string $name {
        get => strtoupper($this->name);
        set(string $value) {
            $this->name = trim($value);
        }
    }
}

/**
 * Runs it.
 */
function run(Account $account, callable $handler): void
{
    $handler($account);
    $found = $account->find('a');
    $found->isOpen();
    register($account, 'boot');
}

class AccountTest extends TestCase
{
    public function testFindsIt(): void
    {
        $account = Accounts::create('a');
        $this->assertSame(1, $account->size());
    }

    #[Test]
    #[DataProvider('rows')]
    public function closes(): void
    {
    }

    /**
     * @test
     */
    public function it_opens(): void
    {
    }
}
