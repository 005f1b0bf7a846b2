package broken;

class Good {
    int first() {
        return 1;
    }

    int second( {
        return 2;
    }

    String third() {
        return "x";
    }
}

interface Later {
    int limit();
}
