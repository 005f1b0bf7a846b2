package app.web;

public class Client {
    public Client() {}

    public void send() {}
}
