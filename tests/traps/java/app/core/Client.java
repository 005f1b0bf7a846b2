package app.core;

public class Client {
    public void send() {}

    public Client self() {
        return this;
    }
}
