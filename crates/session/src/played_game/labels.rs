//! Labels: the moves of the tree in the chosen dialect. They stay in the nodes, so that a new move costs one label.

use super::{AnnotatedMove, PlayedGame, ROOT};
use crate::nags;
use crate::session_error::SessionError;

impl AnnotatedMove {
    /// Returns the label with the signs of the NAGs; empty for the root.
    pub fn label_with_signs(&self) -> String {
        self.label.clone().unwrap_or_default() + &nags::signs(&self.nags)
    }
}

impl PlayedGame {
    /// Sets the dialect of the labels.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub fn set_dialect(&mut self, dialect: &str) -> Result<(), SessionError> {
        self.session.legal_moves(Some(dialect))?;
        self.record.dialect = Some(dialect.to_owned());
        self.is_labelled = false;
        self.edits.clear_labels();
        Ok(())
    }

    /// Formats a line from the current position in the chosen dialect.
    ///
    /// # Errors
    /// If the game has no such dialect.
    pub fn format_line(&self, line: &[String]) -> Result<Vec<String>, SessionError> {
        self.session.format_line(line, self.record.dialect.as_deref())
    }

    /// Labels all nodes, if they are not labelled: after the game was opened, or its dialect was changed.
    ///
    /// # Errors
    /// If a move of the tree is illegal.
    pub fn label_all(&mut self) -> Result<(), SessionError> {
        if self.is_labelled {
            return Ok(());
        }
        let current_node = self.current_node;
        self.go_to(ROOT)?;
        let labelled = self.label_descendants();
        if labelled.is_err() {
            while self.session.undo().is_some() {}
        }
        self.go_to(current_node)?;
        self.is_labelled = labelled.is_ok();
        labelled
    }

    /// Labels all nodes, depth first, from the start position and back to it.
    fn label_descendants(&mut self) -> Result<(), SessionError> {
        enum Visit {
            Enter(usize),
            Leave,
        }
        let dialect = self.record.dialect.clone();
        let mut pending = vec![Visit::Enter(ROOT)];
        while let Some(visit) = pending.pop() {
            let Visit::Enter(number) = visit else {
                self.session.undo();
                continue;
            };
            let Some(node) = self.record.tree.node(number) else { continue };
            let label = match number {
                ROOT => String::new(),
                _ => self.session.format_move(&node.text, dialect.as_deref())?,
            };
            if number != ROOT {
                self.session.replay(&node.text, None)?;
                pending.push(Visit::Leave);
            }
            let reviewed_best = node.review.as_ref().and_then(|review| review.best.as_ref());
            let best_label =
                reviewed_best.and_then(|best| self.session.format_move(best, dialect.as_deref()).ok());
            pending.extend(node.children().iter().rev().copied().map(Visit::Enter));
            if let Some(node) = self.record.tree.labels_mut(number) {
                node.label = Some(label);
                if let Some(review) = &mut node.review {
                    review.best_label = best_label;
                }
            }
        }
        // The root is at the bottom of the stack and is not left.
        self.current_node = ROOT;
        Ok(())
    }
}
