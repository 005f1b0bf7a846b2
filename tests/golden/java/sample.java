package com.acme.ledger;

import static java.util.Objects.requireNonNull;
import static com.acme.util.Checks.*;
import com.acme.net.Transport;
import com.acme.storage.*;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

/**
 * One account.
 *
 * <p>Holds an owner and a balance.
 *
 * @param <T> what is stored
 */
@Entity("accounts")
public abstract class Account<T extends Row> extends storage.Base<T> implements Comparable<Account<T>>, Ordered {
    /** How often to try. */
    public static final int MAX_RETRIES = 3;
    private static final Logger LOG = LoggerFactory.getLogger(Account.class), AUDIT = null;
    private final Map<String, Event> cache = new HashMap<>();
    protected List<Session> sessions;
    Transport transport, spare;
    @Inject private volatile Clock clock;

    static {
        Registry.register("account", Account::new);
    }

    protected Account(String owner, Transport transport) {
        super(owner);
        this.transport = requireNonNull(transport);
    }

    /** Made from bytes. */
    Account(byte[] raw) {
        this(Codec.decode(raw), null);
    }

    @Override
    public <R extends Reply> Optional<R> find(final String key, boolean strict) throws NotFound, java.io.IOException {
        var client = transport.connect();
        Event event = cache.get(key);
        for (Session session : sessions) {
            session.close();
        }
        try (Reader reader = open(key)) {
            reader.read();
        } catch (StorageError error) {
            error.report();
        }
        if (event instanceof Audit audit) {
            audit.write();
        }
        Listener listener = new Listener() {
            @Override
            public void on(Event fired) {
                fired.touch();
            }
        };
        Runnable later = () -> client.send(event, MAX_RETRIES);
        sessions.stream().map(Session::id).filter(id -> id != null).forEach(this::apply);
        String home = System.getenv("ACCOUNT_HOME");
        if (strict) {
            throw new NotFound("no " + key);
        }
        T row = (T) super.find(key);
        return helper.<R>pick(new com.acme.Pick<R>(row), later);
    }

    public Account<T> find(int key) {
        return find(String.valueOf(key), false);
    }

    abstract int size(String... names);

    public boolean isOpen() {
        return this.balance >= 0;
    }

    @Deprecated
    private static class Event implements Serializable {
        final String name = "event";

        void touch() {}

        class Inner {}
    }

    enum Status implements Coded {
        OPEN(1),
        /** No more bookings. */
        CLOSED(2) {
            @Override
            public String label() {
                return "closed";
            }
        };

        private final int code;
        private int i;

        Status(int code) {
            this.code = code;
        }

        public String label() {
            return name();
        }
    }
}

interface Ordered extends Comparator<Account>, Coded {
    int FIRST = 1;

    int rank(Account account);

    default boolean before(Account other) {
        return rank(other) > FIRST;
    }

    private void check() {}
}

sealed interface Shape permits Point {}

/** A place. */
record Point(int x, @NotNull Label label) implements Shape {
    static final Point ORIGIN = new Point(0, null);

    Point {
        check(x);
    }

    double distance(Point other) {
        return Math.hypot(x, other.x);
    }
}

@Retention(RetentionPolicy.RUNTIME)
@interface Entity {
    String value() default "";

    Class<? extends Row>[] rows();
}

class AccountTest {
    @Test
    void findsIt() {
        Account<Row> account = Accounts.create("a");
        assertEquals(1, account.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void findsAll(String name) {}
}
