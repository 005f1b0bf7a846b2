namespace Broken;

class Good
{
    int First() => 1;

    int Second(
    {
        return 2;
    }

    string Third()
    {
        return "x";
    }
}

interface ILater
{
    int Limit();
}
