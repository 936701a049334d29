"""24 clients at once, against an exact model."""

import random
import threading


def test_clients_agree_with_an_exact_model(shared, r):
    """Each client has items of its own in shared filters, so it knows exactly which of them are there."""
    r.execute_command("BW.CREATE", "cuckoo", "cuckoo", "CAPACITY", 60_000, "BITSPERKEY", 14)
    r.execute_command("BW.CREATE", "counting", "counting", "CAPACITY", 60_000)
    r.execute_command("BF.RESERVE", "growing", 0.001, 100)
    failures = []

    def run(number):
        chance = random.Random(number)
        client = shared.client(protocol=chance.choice((2, 3)))
        there = {"cuckoo": set(), "counting": set(), "growing": set()}
        for step in range(400):
            key = chance.choice(sorted(there))
            mine = there[key]
            items = [f"{number}-{chance.randrange(2000)}" for _ in range(chance.randrange(1, 20))]
            items = list(dict.fromkeys(items))
            action = chance.random()
            if action < 0.5:
                fresh = [item for item in items if item not in mine]
                if fresh:
                    command = "BF.MADD" if key == "growing" else "BW.ADD"
                    client.execute_command(command, key, *fresh)
                    mine.update(fresh)
            elif action < 0.7 and key != "growing":
                leaving = [item for item in items if item in mine]
                if leaving:
                    answers = client.execute_command("BW.REM", key, *leaving)
                    answers = answers if isinstance(answers, list) else [answers]
                    if not all(answers):
                        failures.append((key, "not removed", leaving))
                    mine.difference_update(leaving)
            elif action < 0.8 and key == "cuckoo":
                item = items[0]
                yes, stamp = client.execute_command("BW.EXISTS", key, item, "WITHSTAMP")
                if yes and item not in mine:
                    client.execute_command("BW.MISS", key, item, "SINCE", stamp)
            asked = sorted(mine)
            if asked:
                asked = chance.sample(asked, min(len(asked), 50))
                answers = client.execute_command("BW.EXISTS", key, *asked)
                answers = answers if isinstance(answers, list) else [answers]
                if not all(answers):
                    failures.append((key, "denied", step))
        for key, mine in there.items():
            if mine and not all(client.execute_command("BW.EXISTS", key, "x", *sorted(mine))[1:]):
                failures.append((key, "denied at the end", number))
        totals.append({key: len(mine) for key, mine in there.items()})

    totals = []
    threads = [threading.Thread(target=run, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[:3]
    assert len(totals) == 24
    for key in ("cuckoo", "counting"):
        assert r.execute_command("BF.CARD", key) == sum(total[key] for total in totals)
