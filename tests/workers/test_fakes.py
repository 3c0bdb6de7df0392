from whichwins.model import Observation, Outcome
from whichwins.workers import FakePool, Observer


def test_a_fake_observes_like_a_pool() -> None:
    def length(data: bytes) -> Observation:
        return Observation(Outcome.ACCEPT, str(len(data)))

    with FakePool({"a": length, "gone": "not here"}) as fake:
        observer: Observer = fake
        gone = Observation(Outcome.ABSENT, reason="not here")
        assert observer.keys == ("a", "gone")
        assert list(observer.observe([b"", b"12"])) == [
            (Observation(Outcome.ACCEPT, "0"), gone),
            (Observation(Outcome.ACCEPT, "2"), gone),
        ]
        assert list(observer.answers_as_they_come(b"1")) == [
            ("a", Observation(Outcome.ACCEPT, "1")),
            ("gone", gone),
        ]
        assert list(observer.identities) == ["a"]
        assert observer.absent == {"gone": "not here"}
