package app.core;

public abstract class Base implements Store {
    protected String name;

    public Base(String name) {
        this.name = name;
    }

    public void save(String key) {
        validate();
    }

    protected void validate() {}

    public static Base create() {
        return null;
    }

    void close(int code) {}

    void close(String text) {}
}
