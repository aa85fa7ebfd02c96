import './theme/tokens.css'
import './theme/global.css'
import './theme/outline.css'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { createAppRouter } from './app/routes'
import { loadFeatureFlags } from './lib/client'

const rootElement = document.getElementById('root')

// the feature flags load in parallel with the first screen's code
if (rootElement) {
  const router = createAppRouter()
  void loadFeatureFlags().then(() => createRoot(rootElement).render(<RouterProvider router={router} />))
}
