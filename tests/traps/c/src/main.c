#include "mail.h"

static void helper(void) {}

static int apply(int (*open)(void)) {
    return open();
}

int open(void) {
    return 0;
}

int main(void) {
    helper();
    mail_send("a");
    apply(mail_open);
    return TWICE(mail_open());
}
