//! Typed views, actions, options and events of the games of the contract.

use crate::Answer;
use crate::v1::{self, Action, Event, GameOptions, LegalAction, View, action, event, game_options, view};

macro_rules! games {
    ($($title:literal: $name:ident $arm:ident $view:ident $action:ident $options:ident $event:ident;)*) => {
        impl View {
            $(#[doc = concat!("The view of a seat of ", $title, "; `None` in any other game.")]
            #[must_use]
            pub fn $name(&self) -> Option<&v1::$view> {
                match &self.game {
                    Some(view::Game::$arm(view)) => Some(view),
                    _ => None,
                }
            })*
        }

        impl Action {
            $(#[doc = concat!("The action, if it is one of ", $title, ".")]
            #[must_use]
            pub fn $name(&self) -> Option<&v1::$action> {
                match &self.game {
                    Some(action::Game::$arm(action)) => Some(action),
                    _ => None,
                }
            })*
        }

        impl GameOptions {
            $(#[doc = concat!("The options, if they are those of ", $title, ".")]
            #[must_use]
            pub fn $name(&self) -> Option<&v1::$options> {
                match &self.game {
                    Some(game_options::Game::$arm(options)) => Some(options),
                    _ => None,
                }
            })*
        }

        impl Event {
            $(#[doc = concat!("The event, if it is one of ", $title, ".")]
            #[must_use]
            pub fn $name(&self) -> Option<&v1::$event> {
                match &self.game {
                    Some(event::Game::$arm(event)) => Some(event),
                    _ => None,
                }
            })*
        }

        impl v1::Decision {
            $(#[doc = concat!("The view of the seat, if ", $title, " is played.")]
            #[must_use]
            pub fn $name(&self) -> Option<&v1::$view> {
                self.view.as_ref()?.$name()
            })*
        }

        impl LegalAction {
            $(#[doc = concat!("The typed action, if ", $title, " is played. Its open parts are empty.")]
            #[must_use]
            pub fn $name(&self) -> Option<&v1::$action> {
                self.action.as_ref()?.$name()
            })*
        }

        $(impl From<v1::$action> for Answer {
            fn from(action: v1::$action) -> Self {
                Action { game: Some(action::Game::$arm(action)) }.into()
            }
        })*
    };
}

games! {
    "Mus": mus Mus MusView MusAction MusOptions MusEvent;
    "Mitaines": mitaines Mitaines MitainesView MitainesAction MitainesOptions MitainesEvent;
    "Mitigati": mitigati Mitigati MitigatiView MitigatiAction MitigatiOptions MitigatiEvent;
    "Mittlere Jass": mittlere Mittlere MittlereView MittlereAction MittlereOptions MittlereEvent;
    "Taihe A Bao": taihe Taihe TaiheView TaiheAction TaiheOptions TaiheEvent;
}
