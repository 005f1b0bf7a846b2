using Shop.Core;

namespace Shop.Web
{
    public class Client
    {
        public void Send() { }
    }

    public class Disk : Base
    {
        private readonly Client client = new Client();
        private IStore next;

        public Shop.Core.Client Other { get; set; }

        public Disk(string name) : base(name) { }

        public override void Save(string key)
        {
            base.Save(key);
            client.Send();
            this.Other.Send();
            next.Save(key);
            Validate();
            Helper();
            void Helper() { Util.Post(); }
        }
    }

    public static class Util
    {
        public static void Post()
        {
            Base.Create().Save("x");
            var disk = new Disk("y");
            disk.Save("z");
            disk.Shout();
        }

        public static void Shout(this Disk disk) { }
    }
}
