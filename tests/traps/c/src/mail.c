#include "mail.h"
#include <stdio.h>

static void helper(void) {}

void mail_send(const char *text) {
    helper();
    printf("%s", text);
}

int mail_open(void) {
    return 1;
}
