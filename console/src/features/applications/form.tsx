import { Page } from '../../ui/page'

/** Stands in until the screen is written. */
export const ApplicationForm = (_props: { sid?: string }) => <Page title="Applications" />
