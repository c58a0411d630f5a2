"""The pages Choose a metric and Glossary."""
