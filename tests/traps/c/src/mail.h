#ifndef MAIL_H
#define MAIL_H
#define TWICE(x) ((x) * 2)

void mail_send(const char *text);
int mail_open(void);
#endif
