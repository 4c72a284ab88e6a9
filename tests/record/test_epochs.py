"""The secrets of epochs: a chain that anybody checks backwards, and that tells nothing of what is to come."""

import hashlib

import pytest
from support.epochs import CHAIN, LAST

from ordago.record.epochs import LENGTH, LinkChain, leads_back, link_before, secret_of


def test_each_link_is_the_hash_of_the_next() -> None:
    """As anybody finds it with sha256sum."""
    links = [CHAIN.anchor, *(CHAIN.link(epoch) for epoch in range(1, 6))]
    assert links[-1] == LAST
    assert [hashlib.sha256(link).digest() for link in links[1:]] == links[:-1]


def test_a_link_leads_back_to_every_one_before_it() -> None:
    for epoch in range(1, 6):
        assert leads_back(CHAIN.link(epoch), epoch=epoch, to=CHAIN.anchor)
        for of in range(1, epoch + 1):
            assert leads_back(CHAIN.link(epoch), epoch=epoch, to=CHAIN.link(of), of=of)


def test_the_link_of_another_epoch_or_chain_does_not_lead_back() -> None:
    other = LinkChain(bytes(32), length=5)
    assert not leads_back(CHAIN.link(3), epoch=2, to=CHAIN.anchor)
    assert not leads_back(CHAIN.link(2), epoch=3, to=CHAIN.anchor)
    assert not leads_back(other.link(3), epoch=3, to=CHAIN.anchor)
    assert not leads_back(CHAIN.link(1), epoch=1, to=CHAIN.link(2), of=2), "time does not run backwards"
    assert not leads_back(CHAIN.link(3)[:31], epoch=3, to=CHAIN.anchor)


def test_what_is_told_when_an_epoch_begins_does_not_give_away_the_epoch_before() -> None:
    """Its matches may still run. The SHA-256 of a link is the link before it, so no link is told of, only a secret."""
    told = CHAIN.secret_digest(3)
    assert told == hashlib.sha256(CHAIN.secret(3)).digest()
    assert told not in {CHAIN.link(2), CHAIN.secret(2)}
    assert secret_of(told) != CHAIN.secret(2)
    assert CHAIN.secret(2) not in {secret_of(link_before(told, steps=steps)) for steps in range(10)}


def test_the_secret_of_an_epoch_is_a_hash_of_its_link() -> None:
    text = f"ordago-epoch-1|{CHAIN.link(4).hex()}"
    assert CHAIN.secret(4) == secret_of(CHAIN.link(4)) == hashlib.sha256(text.encode()).digest()
    assert len({CHAIN.secret(epoch) for epoch in range(1, 6)}) == 5


@pytest.mark.parametrize("epoch", [-1, 0, 6])
def test_there_are_no_epochs_beyond_the_chain(epoch: int) -> None:
    with pytest.raises(ValueError, match=f"for epochs 1 to 5, not for {epoch}"):
        CHAIN.link(epoch)


def test_a_chain_lasts_for_decades_and_does_not_show_its_last_link() -> None:
    chain = LinkChain(LAST)
    assert chain.length == LENGTH == 10_000
    assert leads_back(chain.link(LENGTH), epoch=LENGTH, to=chain.anchor)
    assert LAST.hex() not in repr(chain)
    assert repr(LAST) not in repr(chain)
