package app.core;

public final class Util {
    public static void post() {
        send();
    }

    static void send() {}
}
