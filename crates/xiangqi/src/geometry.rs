//! All tables over dense points, all of them constant.
