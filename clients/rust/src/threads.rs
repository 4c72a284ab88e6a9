//! Threads that think for bots.

use std::future;
use std::io;
use std::sync::mpsc::{self as jobs, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::Bot;
use crate::calls::{Task, Thought};

/// Some threads, or none.
pub(crate) struct Threads<B> {
    tasks: Sender<Task<B>>,
    thoughts: UnboundedReceiver<Thought<B>>,
    /// The tasks whose thoughts are not taken yet.
    thinking: usize,
}

impl<B: Bot> Threads<B> {
    /// Starts some threads. They end when this is dropped and their last bot has thought.
    pub(crate) fn start(count: usize) -> io::Result<Self> {
        let (tasks, waiting) = jobs::channel();
        let (done, thoughts) = unbounded_channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 1..=count {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
            thread::Builder::new().name(format!("bots {number}")).spawn(move || work(&waiting, &done))?;
        }
        Ok(Self { tasks, thoughts, thinking: 0 })
    }

    /// Lets bots think.
    pub(crate) fn think(&mut self, tasks: Vec<Task<B>>) {
        for task in tasks {
            self.thinking += usize::from(self.tasks.send(task).is_ok());
        }
    }

    /// Waits for the next thought, for ever if there are no threads.
    pub(crate) async fn next(&mut self) -> Thought<B> {
        match self.thoughts.recv().await {
            Some(thought) => {
                self.thinking -= 1;
                thought
            }
            None => future::pending().await,
        }
    }

    pub(crate) fn are_thinking(&self) -> bool {
        self.thinking > 0
    }
}

fn work<B: Bot>(waiting: &Mutex<Receiver<Task<B>>>, done: &UnboundedSender<Thought<B>>) {
    // A bot that panics does so without the lock, and is caught.
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(task) = next() {
        if done.send(task.run()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;
    use crate::calls::Call;
    use crate::{Answer, BotError, Decision, v1};

    /// Thinks until as many bots think.
    struct Meeting(Arc<Barrier>);

    impl Bot for Meeting {
        fn choose(&mut self, decision: &Decision) -> Result<Answer, BotError> {
            self.0.wait();
            assert!(decision.number != 1, "no idea");
            Ok(decision.default_answer())
        }
    }

    #[tokio::test]
    async fn bots_think_side_by_side_and_a_failure_ends_no_thread() {
        let mut threads = Threads::start(2).expect("threads");
        let barrier = Arc::new(Barrier::new(2));
        for round in 0..2 {
            let task = |number| Task {
                seat: (number, 0),
                bot: Meeting(Arc::clone(&barrier)),
                call: Call::Choose(v1::Decision { number, ..Default::default() }.into()),
            };
            threads.think(vec![task(1), task(2)]);
            let thoughts = [threads.next().await, threads.next().await];
            let failed = thoughts.iter().filter(|thought| thought.answer.is_err()).map(|thought| thought.seat.0);
            assert_eq!((failed.collect::<Vec<_>>(), threads.are_thinking()), (vec![1], false), "round {round}");
        }
    }
}
