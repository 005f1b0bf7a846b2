#!/usr/bin/env bash
# Measures recollect, and where asked for also the baselines and other tools, on the development data and on this
# repository itself, then writes the tables of the documentation.
#
#   benchmarks/development.sh SHARED_BENCH CHECKOUTS [recollect] [baselines] [peers] [tables]
#
# CHECKOUTS holds the folders codesearch and tasks with clones that have their history. Without a choice everything of
# recollect is measured and the tables are written: minutes on an idle machine. Peers need PEERS, a Python that has them,
# and KNOWING, the program. A step that fails does not stop the others; the exit code tells.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shared=$(realpath "$1") checkouts=$(realpath "$2")
shift 2
steps=${*:-recollect tables}
out=benchmarks/results
status=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The replays ask repositories of both folders.
mkdir "$scratch/replays"
for place in "$checkouts"/codesearch/* "$checkouts"/tasks/*; do
    [ -e "$scratch/replays/${place##*/}" ] || ln -s "$place" "$scratch/replays/${place##*/}"
done

ours=(.venv/bin/python -m recollect)
theirs=("${PEERS:-python3}" -m recollect)
bench() { # DATA RETRIEVER...
    local data=$1 options=()
    shift
    case $data in
    codesearch) options=(--data "$shared/codesearch" --repos "$checkouts/codesearch") ;;
    tasks) options=(--data "$shared/tasks" --repos "$checkouts/tasks") ;;
    # The conversations may be measured but not shipped, so no text of a question is kept.
    locomo) options=(--no-text --data "$shared/locomo") ;;
    replays) options=(--data benchmarks/replays --repos "$scratch/replays") ;;
    own) options=(--data "$scratch/own") ;;
    esac
    local names=()
    for name in "$@"; do names+=(-r "$name"); done
    local began=$SECONDS
    echo "==> $data: $*"
    "${program[@]}" bench run "${options[@]}" "${names[@]}" --compress -o "$out" >"$scratch/said" 2>&1 || {
        status=1
        cat "$scratch/said"
    }
    echo "    $((SECONDS - began)) s"
}

as_peer() { # DATA RETRIEVER
    program=("${theirs[@]}")
    PYTHONPATH=$PWD/src:$PWD/benchmarks/peers bench "$@"
    program=("${ours[@]}")
}

own_questions() {
    [ -d "$scratch/own" ] && return
    .venv/bin/python -m recollect bench replay --path . --name own --save "$scratch/own" --questions-only || status=1
}

program=("${ours[@]}")
for step in $steps; do
    case $step in
    recollect)
        for data in codesearch tasks locomo replays; do bench "$data" recollect; done
        # Its questions change with every commit, so everything is measured on it again.
        rm -f "$out"/own-*.json.gz
        own_questions
        bench own recollect bm25_best_chunk bm25 grep_tuned
        [ -z "${PEERS:-}" ] || as_peer own semble_peer:Lexical
        ;;
    baselines)
        bench codesearch bm25_best_chunk bm25 rrf dense:static grep_tuned grep full_context
        bench tasks bm25 rrf grep_tuned grep
        bench locomo bm25 fts_or fts_production rrf dense:static grep_tuned grep full_context
        bench replays bm25_best_chunk bm25 rrf grep_tuned grep
        ;;
    peers)
        as_peer codesearch semble_peer:Lexical
        as_peer replays semble_peer:Lexical
        as_peer locomo engrava_peer:Lexical
        as_peer tasks knowing_peer:AsShipped
        as_peer replays knowing_peer:AsShipped
        ;;
    tables) .venv/bin/python tools/results.py || status=1 ;;
    *)
        echo "There is no step '$step'; say recollect, baselines, peers or tables." >&2
        exit 2
        ;;
    esac
done
exit "$status"
