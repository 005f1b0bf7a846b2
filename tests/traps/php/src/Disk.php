<?php

namespace Shop\Web;

use Shop\Core\Base;
use Shop\Core\Client as Remote;
use Shop\Core\Loud;
use Shop\Core\Store;

class Client
{
    public function send(): void {}
}

class Disk extends Base
{
    use Loud;

    private Client $client;

    public function __construct(string $name, private Remote $other, private Store $next)
    {
        parent::__construct($name);
        $this->client = new Client();
    }

    public function save(string $key): void
    {
        parent::save($key);
        $this->client->send();
        $this->other->send();
        $this->next->save($key);
        $this->validate();
        $this->shout();
        self::helper();
        count([1]);
    }

    private static function helper(): void
    {
        Base::create()->save("x");
        $disk = new Disk("y", new Remote(), null);
        $disk->save("z");
        send();
    }
}

function send(): void {}

function unknown($thing): void
{
    $thing->send();
}
