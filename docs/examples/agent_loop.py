"""A plain agent loop without any framework: gather context, act, say what helped, leave a note for the next run.

Run it in a repository: python agent_loop.py "wait longer between attempts"
"""

import sys

import recollect


def act(task: str, context: str) -> str:
    """Stand in for your model: it gets the task and the context, and returns what it did."""
    first = next(line for line in context.splitlines() if line.strip())
    return f"For '{task}' the first thing to read is: {first}"


def main(task: str) -> None:
    """Do one task."""
    with recollect.open() as project:
        pack = project.context(task, budget=2000)
        known = project.recall(task, limit=3)
        for hit in known.hits:
            print("known already:", hit.text)
        print(act(task, project.write(pack)))
        if pack.items:
            project.feedback(pack.query_id, [pack.items[0].hit.id])
        noted = project.remember(f"Looked into '{task}'.", kind="narrative", tags=["agent-loop"])
        print("noted as", noted.id)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "wait longer between attempts")
