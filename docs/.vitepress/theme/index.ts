/** VitePress's own theme, with `<Recording name="tui" />`, which plays docs/recordings/tui.cast. */
import DefaultTheme from 'vitepress/theme';
import type { App } from 'vue';
import Recording from './recording.vue';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }: { readonly app: App }) => void app.component('Recording', Recording),
};
