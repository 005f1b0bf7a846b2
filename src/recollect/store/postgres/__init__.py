"""The store on PostgreSQL: every row belongs to a space, every statement names it, and the server enforces it.

What is written here keeps to this:

- `$1` of every statement is the space; `Session` puts it there. Every table's primary key begins with it.
- A migration ends with `SELECT guard('table')` for each table that it makes, which sets rights and row policies.
- Work is handed over as a function (`Server.read`, `Server.write`), so that it can be done again after a cut.
- Row policies keep the planner from using operators that are not leakproof, `@@` among them, in an index; such
  searches go through packed postings or a function of the owner that names the space itself.
"""
