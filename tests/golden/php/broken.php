<?php

namespace Broken;

class Good
{
    public function first(): int
    {
        return 1;
    }

    public function second(
    {
        return 2;
    }

    public function third(): string
    {
        return "x";
    }
}

interface Later
{
    public function limit(): int;
}
