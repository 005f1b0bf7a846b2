<?php

namespace Shop\Core;

interface Store
{
    public function save(string $key): void;
}

trait Loud
{
    public function shout(): void {}
}

abstract class Base implements Store
{
    public function __construct(protected string $name) {}

    public function save(string $key): void
    {
        $this->validate();
    }

    protected function validate(): void {}

    public static function create(): Base
    {
        return new static("x");
    }
}

class Client
{
    public function send(): void {}
}

function send(): void {}
