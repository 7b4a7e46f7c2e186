import { Link } from '@tanstack/react-router';
import classes from './profile-tabs.module.css';

/** The pages of the user's own account. */
export function ProfileTabs() {
  return (
    <nav aria-label="Profile" className={classes.tabs}>
      <Link to="/profile" activeOptions={{ exact: true }} className={classes.tab}>
        Profile
      </Link>
      <Link to="/profile/tokens" className={classes.tab}>
        API keys
      </Link>
    </nav>
  );
}
