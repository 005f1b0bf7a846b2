package app.web;

import static app.core.Util.post;

import app.core.Base;
import app.core.Store;
import java.util.List;

public class Disk extends Base {
    private final Client client = new Client();
    private app.core.Client other;
    private List<Store> stores;
    private Inner inner;

    public Disk(String name) {
        super(name);
    }

    @Override
    public void save(String key) {
        super.save(key);
        client.send();
        this.other.send();
        other.self().send();
        validate();
        for (Store store : stores) {
            store.save(key);
        }
        inner.send();
        post();
        Runnable task = () -> helper();
        task.run();
    }

    private void helper() {
        Base.create().save("x");
        Disk disk = new Disk("y");
        disk.save("z");
        disk.validate();
        var made = new Inner();
        made.send();
        String text = "";
        text.length();
    }

    static class Inner {
        void send() {
            helper();
        }

        void helper() {}
    }
}
