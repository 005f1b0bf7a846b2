package app.core;

public interface Store {
    void save(String key);
}
