using System;
using System.Collections.Generic;
using static System.Math;
using Wire = Acme.Net.Transport;
global using Acme.Storage;

[assembly: InternalsVisibleTo("Acme.Tests")]

namespace Acme.Ledger
{
    /// <summary>
    /// One account.
    /// </summary>
    /// <typeparam name="T">What is stored.</typeparam>
    [Entity("accounts"), Serializable]
    public abstract class Account<T> : Storage.Base<T>, IComparable<Account<T>>, IOrdered where T : Row, new()
    {
        /// <summary>How often to try.</summary>
        public const int MaxRetries = 3;
        private static readonly ILogger Log = LoggerFactory.Create("account");
        protected internal List<Session> sessions = new(), spare;
        readonly Wire _transport;

        public event EventHandler<Booking> Booked;

        public delegate void Changed(Account<T> account);

        /// <summary>Makes <see cref="Account{T}"/> from an owner.</summary>
        /// <param name="owner">Who owns it.</param>
        public Account(string owner, Wire transport) : base(owner)
        {
            this._transport = transport ?? throw new ArgumentNullException(nameof(transport));
            Booked += OnBooked;
        }

        static Account() => Registry.Register("account");

        ~Account()
        {
            Close();
        }

        public string Owner { get; init; }

        public bool IsOpen => Balance >= 0;

        public virtual int Balance
        {
            get { return _balance; }
            private set
            {
                _balance = value;
                Notify(value);
            }
        }

        public Event this[string key] => _cache[key];

        [HttpGet("accounts/{id}")]
        public async Task<T?> FindAsync<R>(string key, [FromQuery] bool strict = false, params Mode[] modes) where R : Reply
        {
            var client = _transport.Connect();
            Event entry = _cache[key];
            foreach (var session in sessions) session.Close();
            foreach (Booking booking in entry.Bookings()) booking.Book();
            using (Reader reader = Open(key))
            using var other = new Reader(key);
            try
            {
                await client.SendAsync(entry, MaxRetries).ConfigureAwait(false);
            }
            catch (StorageException error) when (error.Fatal)
            {
                error.Report();
                throw;
            }
            if (entry is Audit audit) audit.Write();
            int Miss(string reason) => Helper(reason);
            Func<Row, bool> known = row => row.Known();
            var names = sessions.Select(s => s.Id).Where(Known).ToList();
            _transport?.Ping();
            var home = Environment.GetEnvironmentVariable("ACCOUNT_HOME");
            var anonymous = new { Name = key, Size = Miss("x") };
            var made = entry switch
            {
                Booking b => b.Make(),
                _ => default,
            };
            if (strict)
            {
                throw new NotFoundException($"no {key}");
            }
            return (T)base.Find(key) ?? Pick<R>(key);
        }

        public Account<T> Find(int key) => Find(key.ToString());

        protected abstract int Size();

        public static bool operator ==(Account<T> left, Account<T> right) => left.Owner == right.Owner;

        public static implicit operator string(Account<T> account) => account.Owner;

        void IOrdered.Rank(int first)
        {
        }

        class Event
        {
            internal string Name = "event";

            void Touch() { }
        }

        public enum Status : byte
        {
            Open = 1,
            /// <summary>No more bookings.</summary>
            Closed,
        }
    }

    interface IOrdered : IComparer<Account<Row>>
    {
        int First { get; }

        void Rank(int first);

        int After(int first) => first + 1;
    }

    public readonly struct Point : IShape
    {
        public readonly int X;

        public Point(int x) => X = x;
    }

    public record Place(int X, Label Label) : Shape(X), IShape
    {
        public double Distance(Place other) => Math.Sqrt(X - other.X);
    }

    record struct Id(string Raw);

    public class Clock(ISource source) : IClock
    {
        public DateTime Now() => source.Now();
    }

    // Says things about accounts.
    public static class AccountExtensions
    {
        public static string Shout(this Account<Row> account) => account.Owner.ToUpper();
    }

    public partial class AccountTests
    {
        [Fact]
        public void FindsIt()
        {
            var account = Accounts.Create("a");
            Assert.Equal(1, account.Size());
        }

        [Theory, InlineData("a")]
        public void FindsAll(string name) { }
    }
}
