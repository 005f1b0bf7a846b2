namespace Shop.Core;

public interface IStore
{
    void Save(string key);
}

public abstract class Base : IStore
{
    protected Base(string name) { }

    public virtual void Save(string key)
    {
        Validate();
    }

    protected void Validate() { }

    public static Base Create() => null;
}

public class Client
{
    public void Send() { }
}
